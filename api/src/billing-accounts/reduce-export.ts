import {
  addEntry,
  type BillingAccount,
  balanceOf,
  type CreditEntry,
  type ExportUse,
  replaced,
} from './billing-account.js';
import { billingStateOf, entitlementsOf } from './entitlements.js';
import type { BillingEvent } from './events.js';

type ExportEvent = Extract<BillingEvent, { kind: `export_${string}` }>;
type Reserved = Extract<ExportEvent, { kind: 'export_reserved' }>;

export type ExportSource =
  | { readonly from: 'unlimited' }
  | { readonly from: 'period'; readonly subscriptionId: string; readonly periodStart: Date }
  | { readonly from: 'credit'; readonly taskId: string | null };

/** The current period, then a credit for this task, then any other; null when none is left. `isFree`: set by staff. */
export function exportSourceOf(
  account: BillingAccount,
  { taskId, isFree, at }: Pick<Reserved, 'taskId' | 'isFree' | 'at'>,
): ExportSource | null {
  const { exports, exportsUsed, running } = entitlementsOf(billingStateOf(account), at);
  if (isFree || exports === null) return { from: 'unlimited' };
  if (running?.currentPeriodStart && exportsUsed < exports) {
    return { from: 'period', subscriptionId: running.id, periodStart: running.currentPeriodStart };
  }
  for (const pool of [taskId, null]) if (balanceOf(account, pool) > 0) return { from: 'credit', taskId: pool };
  return null;
}

function applyReservation(account: BillingAccount, event: Reserved): BillingAccount {
  const { id, taskId, at } = event;
  const source = exportSourceOf(account, event);
  if (!source || account.exports.some((use) => use.taskId === taskId)) return account;
  const isPeriod = source.from === 'period';
  const use: ExportUse = {
    taskId,
    id,
    userId: account.userId,
    source: source.from,
    subscriptionId: isPeriod ? source.subscriptionId : null,
    periodStart: isPeriod ? source.periodStart : null,
    isKept: false,
    createdAt: at,
  };
  const added = { ...account, exports: [...account.exports, use] };
  return source.from === 'credit' ? addEntry(added, creditEntry(use, -1, source.taskId, at)) : added;
}

const creditEntry = (use: ExportUse, amount: 1 | -1, taskId: string | null, at: Date): CreditEntry => ({
  id: `${amount < 0 ? 'export' : 'return'}:${use.id}`,
  userId: use.userId,
  amount,
  reason: amount < 0 ? 'export' : 'return',
  taskId,
  paymentId: null,
  createdAt: at,
});

function releaseExport(account: BillingAccount, use: ExportUse, at: Date): BillingAccount {
  if (use.isKept) return account;
  const freed = { ...account, exports: account.exports.filter((other) => other !== use) };
  const spent = account.credits.find(({ id }) => id === `export:${use.id}`);
  return spent ? addEntry(freed, creditEntry(use, 1, spent.taskId, at)) : freed;
}

export function reduceExport(account: BillingAccount, event: ExportEvent): BillingAccount {
  if (event.kind === 'export_reserved') return applyReservation(account, event);
  const use = account.exports.find(({ taskId }) => taskId === event.taskId);
  if (!use) return account;
  if (event.kind === 'export_released') return releaseExport(account, use, event.at);
  return use.isKept ? account : { ...account, exports: replaced(account.exports, use, { ...use, isKept: true }) };
}
