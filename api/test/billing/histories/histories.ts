import { randomUUID } from 'node:crypto';
import {
  inMilliseconds,
  PACKS,
  PERIODS,
  type Period,
  type PlanPrice,
  planPriceOf,
  STANDARD_FLAGS,
} from '@clearframe/contract';
import fc from 'fast-check';
import { balanceOf, type Payment, type Subscription } from '../../../src/billing/account/state/billing-account.js';
import {
  billingStateOf,
  entitlementsOf,
  grantsPlan,
  hasOpenInvoice,
  planPriceOfSubscription,
} from '../../../src/billing/account/state/entitlements.js';
import { prorationOf } from '../../../src/billing/account/state/proration.js';
import { requireMayBuy } from '../../../src/billing/catalogue/purchase-rules.js';
import {
  decideOrder,
  newSubscription,
  type SubscriptionOrder,
} from '../../../src/billing/subscriptions/subscription-order.js';
import { Approvals, accepted } from './approvals.js';
import { Bank, type Held, type Running } from './bank.js';
import { after, Book } from './model.js';

/** Something that happens; `pick` chooses among what there is, `size` says how much. */
export interface Happening {
  readonly what: What;
  readonly pick: number;
  readonly size: number;
}

/** What happens, and how often beside the rest. */
const WEIGHTS = {
  buy: 2,
  pay: 3,
  'read payment': 4,
  purchase: 6,
  refund: 3,
  dispute: 2,
  win: 2,
  subscribe: 4,
  begin: 2,
  'declined, then another card': 2,
  'another card': 3,
  'approve in the wallet': 3,
  'return from the wallet': 3,
  'read subscription': 6,
  'go broke': 1,
  cancel: 2,
  'dispute subscription': 1,
  'refund subscription': 1,
  upgrade: 3,
  'change period': 3,
  'end replaced': 3,
  'refund replaced': 3,
  download: 8,
  finish: 3,
  fail: 4,
  gift: 2,
  time: 3,
  'to the end': 2,
  'arrive late': 4,
} as const;
type What = keyof typeof WEIGHTS;

const anyWhat = fc.oneof(
  ...(Object.keys(WEIGHTS) as What[]).map((what) => ({ weight: WEIGHTS[what], arbitrary: fc.constant(what) })),
);

/** The history of one paying user. */
export const anyHistory = fc.array(
  fc.record<Happening>({ what: anyWhat, pick: fc.nat(30), size: fc.integer({ min: 1, max: 100 }) }),
  { maxLength: 100, size: 'max' },
);

/** An order by card for a plan, without a trial. */
const orderOf = (price: PlanPrice, forfeitCredits: number): SubscriptionOrder => ({
  provider: 'stripe',
  providerId: null,
  customerId: 'cus',
  price,
  intro: null,
  paymentMethodId: 'pm',
  trial: false,
  forfeitCredits,
});

interface Upgrade {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly refundCents: number;
}

/**
 * One account and the bank behind it. Whatever the bank does is read at other times than it happens, sometimes not at
 * all until the end (a crash, a lost event), sometimes after what was read later (an old answer).
 */
export class History {
  readonly book = new Book();
  readonly bank = new Bank();
  /** Gift time that is left: it passes only while no business subscription is known to run. */
  giftMs = 0;
  readonly approvals = new Approvals(this.book, this.bank, (row) => this.subscriptionRead(row)());
  private readonly late: (() => void)[] = [];
  private readonly upgrades: Upgrade[] = [];

  live(happening: Happening): void {
    this.step[happening.what](happening);
  }

  private readonly step: Record<Happening['what'], (happening: Happening) => void> = {
    buy: ({ pick }) => this.bank.announce(this.book.payment(PACKS[pick % PACKS.length])),
    pay: ({ pick }) =>
      this.ofBank(pick, (held) => {
        if (held.status === 'pending') held.status = 'succeeded';
      }),
    'read payment': ({ pick, size }) => this.read(this.payment(pick), size),
    purchase: ({ pick }) => {
      const payment = this.book.payment(PACKS[pick % PACKS.length]);
      this.bank.announce(payment);
      this.ofBankRow(payment, (held) => {
        held.status = 'succeeded';
      });
      this.paymentRead(payment)();
    },
    refund: ({ pick, size }) =>
      this.ofBank(pick, (held) => {
        const cents = Math.floor((held.amountCents * size) / 100);
        if (held.status === 'succeeded') held.refundedCents = Math.max(held.refundedCents, cents);
      }),
    dispute: ({ pick }) =>
      this.ofBank(pick, (held) => {
        held.isDisputed = held.status === 'succeeded';
      }),
    win: ({ pick }) =>
      this.ofBank(pick, (held) => {
        held.isDisputed = false;
      }),
    subscribe: (happening) => this.subscribe(happening),
    begin: ({ pick, size }) => this.begin(this.subscription(pick), size % 4 > 0),
    'declined, then another card': ({ pick, size }) => {
      const price = planPriceOf(pick % 2 ? 'personal' : 'business', pick % 3 ? 'weekly' : 'yearly', 'usd');
      this.order(orderOf(price, balanceOf(this.book.account, null)), size, false);
      this.anotherCard(pick, size);
    },
    'another card': ({ pick, size }) => this.anotherCard(pick, size),
    'approve in the wallet': ({ pick, size }) =>
      this.approvals.approve(planPriceOf(pick % 2 ? 'personal' : 'business', 'weekly', 'usd'), size % 3 === 0),
    'return from the wallet': ({ pick }) => this.approvals.look(pick),
    'read subscription': ({ pick, size }) => this.read(this.subscription(pick), size),
    'go broke': ({ pick }) =>
      this.ofRunning(pick, (running) => {
        running.isBroke = true;
      }),
    cancel: ({ pick }) =>
      this.ofRunning(pick, (running) => {
        running.cancelAtPeriodEnd = running.status !== 'incomplete';
      }),
    'dispute subscription': ({ pick }) =>
      this.ofRunning(pick, (running) => {
        running.isDisputed = running.taken > 0;
      }),
    'refund subscription': ({ pick, size }) => {
      const row = this.subscription(pick);
      const paid = row && this.bank.subscriptions.get(row.id)?.paidCents;
      if (row && paid) this.bank.refund(row.id, Math.floor((paid * size) / 100), randomUUID());
    },
    upgrade: ({ size }) => this.replace('upgrade', size % 4 > 0),
    'change period': ({ pick, size }) => this.replace(PERIODS[pick % PERIODS.length] ?? 'weekly', size % 4 > 0),
    'end replaced': ({ pick }) => this.carryOn(pick, 'end'),
    'refund replaced': ({ pick }) => this.carryOn(pick, 'refund'),
    download: ({ size }) => {
      for (let times = 0; times < size / 8; times += 1) this.book.export();
    },
    finish: ({ pick }) => this.ofExport(pick, (taskId) => this.book.apply({ kind: 'export_committed', taskId })),
    fail: ({ pick }) =>
      this.ofExport(pick, (taskId) => this.book.apply({ kind: 'export_released', taskId, at: this.book.now })),
    gift: ({ size }) => {
      this.giftMs += inMilliseconds.days(size);
      this.book.gift(size);
    },
    time: ({ size }) => this.pass(after(this.book.now, size / 10)),
    'to the end': ({ pick }) => {
      const end = this.subscription(pick)?.currentPeriodEnd;
      if (end && end > this.book.now) this.pass(end);
    },
    'arrive late': ({ pick }) => this.late.splice(pick % Math.max(1, this.late.length), 1)[0]?.(),
  };

  /** The sweep comes sooner than another period is charged. */
  private pass(to: Date): void {
    this.approvals.sweep();
    const { account, now } = this.book;
    const businessEnds = account.subscriptions
      .filter((row) => row.priceId.startsWith('business') && grantsPlan(row, now))
      .map(({ currentPeriodEnd }) => currentPeriodEnd?.getTime() ?? 0);
    this.giftMs -= Math.min(this.giftMs, Math.max(0, to.getTime() - Math.max(now.getTime(), ...businessEnds)));
    this.book.now = to;
    this.bank.passTo(this.book.now);
  }

  private payment(pick: number): Payment | undefined {
    const { payments } = this.book.account;
    return payments[pick % Math.max(1, payments.length)];
  }

  private subscription(pick: number): Subscription | undefined {
    const { subscriptions } = this.book.account;
    return subscriptions[pick % Math.max(1, subscriptions.length)];
  }

  private ofBank(pick: number, change: (held: Held) => void): void {
    this.ofBankRow(this.payment(pick), change);
  }

  private ofBankRow(payment: Payment | undefined, change: (held: Held) => void): void {
    const held = this.bank.payments.get(payment?.id ?? '');
    if (held) change(held);
  }

  private ofRunning(pick: number, change: (running: Running) => void): void {
    const running = this.bank.subscriptions.get(this.subscription(pick)?.id ?? '');
    if (running && running.endedAt === null) change(running);
  }

  private ofExport(pick: number, change: (taskId: string) => unknown): void {
    const { exports } = this.book.account;
    const use = exports[pick % Math.max(1, exports.length)];
    if (use) change(use.taskId);
  }

  /** A third of all answers arrive later than they were given. */
  private read(row: Payment | Subscription | undefined, size: number): void {
    if (!row) return;
    const arrive = 'exports' in row ? this.paymentRead(row) : this.subscriptionRead(row);
    if (size % 3 === 0) this.late.push(arrive);
    else arrive();
  }

  private paymentRead(payment: Payment): () => void {
    const readNo = this.book.reading();
    const held = { ...this.bank.payments.get(payment.id) };
    return () => this.book.pay(payment, held, readNo);
  }

  private subscriptionRead(subscription: Subscription): () => void {
    const readNo = this.book.reading();
    const running = this.bank.subscriptions.get(subscription.id);
    const snapshot = { ...running };
    return () => running && this.book.run(subscription, snapshot, readNo);
  }

  private subscribe({ pick, size }: Happening): void {
    const price = planPriceOf(pick % 2 ? 'personal' : 'business', pick % 3 ? 'weekly' : 'yearly', 'usd');
    const forfeit = size % 5 === 0 ? 0 : balanceOf(this.book.account, null);
    const isBegun = size % 2 > 0;
    this.order({ ...orderOf(price, forfeit), trial: size % 3 === 0 }, size, isBegun ? size % 7 > 0 : null);
  }

  /** The same plan again, with a card that was not declined before; or another plan. */
  private anotherCard(pick: number, size: number): void {
    const owing = this.book.account.subscriptions.find(hasOpenInvoice) ?? this.subscription(pick);
    if (!owing) return;
    const plan = size % 7 === 0 ? 'business' : owing.priceId.startsWith('personal') ? 'personal' : 'business';
    const period = owing.priceId.includes('yearly') ? 'yearly' : 'weekly';
    const order = orderOf(planPriceOf(plan, period, 'usd'), balanceOf(this.book.account, null));
    this.order({ ...order, paymentMethodId: randomUUID(), trial: owing.asksTrial }, size, size % 4 > 0);
  }

  /**
   * The product's own rules decide what becomes of an order; the bank hears of it now, later, or by the sweep.
   * @param isPaid whether the card is accepted; null while the bank has not heard of it
   */
  private order(order: SubscriptionOrder, size: number, isPaid: boolean | null): void {
    const { account, now } = this.book;
    const decision = accepted(() => decideOrder(account, order, now, STANDARD_FLAGS));
    if (!decision || decision.kind === 'existing') return;
    if (decision.kind === 'create') {
      const subscription = newSubscription(account.userId, order, now);
      this.book.apply({ kind: 'subscription_ordered', subscription, fingerprint: null });
      if (isPaid !== null) this.begin(subscription, isPaid);
      return;
    }
    const { subscription } = decision;
    const subscriptionId = subscription.id;
    if (decision.kind === 'void') {
      this.bank.voidFirst(subscriptionId, now);
      this.subscriptionRead(subscription)();
      this.order(order, size, isPaid);
      return;
    }
    this.book.apply({ kind: 'subscription_reordered', subscriptionId, forfeitCredits: order.forfeitCredits });
    this.bank.payOpen(subscriptionId, isPaid ?? false);
    this.read(subscription, size);
  }

  /** What the bank does is not known here before it is read. */
  private begin(row: Subscription | undefined, isPaid: boolean): void {
    if (row?.status === 'pending') this.bank.begin(row, this.book.now, isPaid);
  }

  private replace(target: Period | 'upgrade', isPaid: boolean): void {
    const { account, now } = this.book;
    const old = account.subscriptions.find((row) => grantsPlan(row, now) && row.status !== 'canceled');
    const running = old && planPriceOfSubscription(old);
    const isUnderWay = this.upgrades.some(({ from }) => from === old?.id);
    if (!old || !running || isUnderWay) return;
    const price =
      target === 'upgrade' ? planPriceOf('business', 'weekly', 'usd') : planPriceOf(running.plan, target, 'usd');
    const decision = accepted(() => requireMayBuy(account, false, now, { price, flags: STANDARD_FLAGS }));
    if (decision?.kind !== 'upgrade' && decision?.kind !== 'change_period') return;
    const order = { ...orderOf(price, 0), paymentMethodId: null };
    const subscription = newSubscription(account.userId, order, now, old.id);
    this.book.apply({ kind: 'subscription_ordered', subscription, fingerprint: null });
    if (!isPaid) {
      this.book.apply({ kind: 'subscription_abandoned', subscriptionId: subscription.id, at: now });
      return;
    }
    this.bank.begin(subscription, now, true);
    const { remainingCents } = prorationOf(old, now);
    this.upgrades.push({ id: randomUUID(), from: old.id, to: subscription.id, refundCents: remainingCents });
  }

  /** A step of an upgrade is taken when the new one is known to run; again, it changes nothing. */
  private carryOn(pick: number, step: 'end' | 'refund'): void {
    const upgrade = this.upgrades[pick % Math.max(1, this.upgrades.length)];
    const old = this.book.account.subscriptions.find(({ id }) => id === upgrade?.from);
    if (!upgrade || !old?.supersededAt) return;
    if (step === 'end') this.bank.replace(upgrade.from, this.book.now);
    const hasEnded = this.bank.subscriptions.get(upgrade.from)?.isReplaced ?? false;
    if (step === 'refund' && hasEnded) this.bank.refund(upgrade.from, upgrade.refundCents, upgrade.id);
  }

  /** The sweep has been everywhere, and what was under way has come to its end. */
  settle(): void {
    this.approvals.sweep();
    for (const row of this.book.account.subscriptions) {
      if (row.status === 'pending' && !this.bank.subscriptions.has(row.id)) {
        this.book.apply({ kind: 'subscription_abandoned', subscriptionId: row.id, at: this.book.now });
      }
    }
    for (let pass = 0; pass < 2; pass += 1) {
      for (const row of this.book.account.payments) this.paymentRead(row)();
      for (const row of this.book.account.subscriptions) this.subscriptionRead(row)();
      for (let index = 0; index < this.upgrades.length; index += 1) {
        this.carryOn(index, 'end');
        this.carryOn(index, 'refund');
      }
    }
    for (const arrive of this.late.splice(0)) arrive();
  }

  get entitlements() {
    return entitlementsOf(billingStateOf(this.book.account), this.book.now);
  }
}
