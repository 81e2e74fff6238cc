import type { BillingAccount, CreditEntry } from './billing-account.js';

/** A list with one row exchanged. */
export const replaced = <Row>(rows: readonly Row[], old: Row, next: Row): Row[] =>
  rows.map((row) => (row === old ? next : row));

/** Writes a line into the ledger, once. */
export const addEntry = (account: BillingAccount, entry: CreditEntry): BillingAccount =>
  account.credits.some(({ id }) => id === entry.id) ? account : { ...account, credits: [...account.credits, entry] };
