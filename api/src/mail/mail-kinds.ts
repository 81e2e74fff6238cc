const MAIL_KINDS = [
  'cancelCode',
  'portalCode',
  'receipt',
  'pictureReceipt',
  'paidTwice',
  'trialReminder',
  'renewalNotice',
  'priceChange',
  'approvalRefused',
  'trialStarted',
  'paymentFailed',
  'cancelled',
  'ended',
  'planChanged',
  'planChangedRefund',
  'walletPortal',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Bodies with a live credential: stored encrypted, left out of data exports, deleted once sent to a server. */
export const SECRET_MAIL_KINDS: ReadonlySet<MailKind> = new Set(['cancelCode', 'portalCode', 'pictureReceipt']);

export type RowLabel =
  | 'item'
  | 'amount'
  | 'date'
  | 'number'
  | 'plan'
  | 'chargeDate'
  | 'chargeAmount'
  | 'oldAmount'
  | 'newAmount'
  | 'startDate'
  | 'refund';

interface MailLayout {
  readonly reason: 'requested' | 'payment' | 'subscription';
  readonly figure?: string;
  readonly rows?: readonly (readonly [label: RowLabel, value: string])[];
}

const RECEIPT: MailLayout = {
  reason: 'payment',
  figure: 'amount',
  rows: [
    ['item', 'what'],
    ['amount', 'amount'],
    ['date', 'date'],
    ['number', 'number'],
  ],
};

const NEXT_CHARGE: MailLayout = {
  reason: 'subscription',
  rows: [
    ['plan', 'plan'],
    ['chargeDate', 'date'],
    ['chargeAmount', 'amount'],
  ],
};

export const MAIL_LAYOUTS: Readonly<Record<MailKind, MailLayout>> = {
  cancelCode: { reason: 'requested' },
  portalCode: { reason: 'requested' },
  walletPortal: { reason: 'requested' },
  receipt: RECEIPT,
  pictureReceipt: RECEIPT,
  paidTwice: {
    reason: 'payment',
    rows: [
      ['item', 'what'],
      ['refund', 'amount'],
      ['number', 'number'],
    ],
  },
  approvalRefused: { reason: 'payment' },
  trialStarted: NEXT_CHARGE,
  trialReminder: NEXT_CHARGE,
  renewalNotice: NEXT_CHARGE,
  priceChange: {
    reason: 'subscription',
    rows: [
      ['plan', 'plan'],
      ['oldAmount', 'oldAmount'],
      ['newAmount', 'newAmount'],
      ['startDate', 'date'],
    ],
  },
  paymentFailed: { reason: 'subscription' },
  cancelled: { reason: 'subscription' },
  ended: { reason: 'subscription' },
  planChanged: { reason: 'subscription' },
  planChangedRefund: {
    reason: 'subscription',
    rows: [
      ['plan', 'plan'],
      ['refund', 'amount'],
      ['number', 'number'],
    ],
  },
};
