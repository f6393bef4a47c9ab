import { Transactions } from "@trunkline/kernel"
import { NotificationStore } from "@trunkline/notifications"
import { notificationStoreLaws } from "@trunkline/notifications/testing"
import { Layer } from "effect"

notificationStoreLaws("memory", Layer.merge(NotificationStore.layerMemory, Transactions.layerMemory))
