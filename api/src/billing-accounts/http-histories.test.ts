import fc from 'fast-check';
import { it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { CARDS, Customer, controlsOf, faultsOf, price } from '../../test/support/billing/customer.js';
import { PictureFactory } from '../../test/support/billing/picture-factory.js';
import { HTTP_GROUP, HTTP_HISTORY_COUNT } from '../../test/support/histories/history-events.js';
import { expectAgreement, settle } from '../../test/support/histories/http-agreement.js';
import { expectNoRequestsInTransactions } from '../../test/support/open-transactions.js';
import { newEmail } from '../../test/support/visitor.js';

/** More would make each other's requests time out on a slow machine. */
const AT_ONCE = 2;
const LENGTH = 14;

const ACTIONS = [
  'buy',
  'buy twice',
  'charge',
  'subscribe',
  'subscribe in two tabs',
  'approve in the wallet',
  'return from the wallet',
  'another card',
  'upgrade',
  'cancel',
  'refund',
  'dispute',
  'download',
  'time',
  'log in',
  'lose a response',
] as const;
type ActionKind = (typeof ACTIONS)[number];
const anyActions = fc.array(fc.record({ kind: fc.constantFrom(...ACTIONS), size: fc.nat(30) }), {
  minLength: LENGTH,
  maxLength: LENGTH,
});
const anyHistories = fc.array(fc.record({ isMember: fc.boolean(), actions: anyActions }), {
  minLength: HTTP_GROUP,
  maxLength: HTTP_GROUP,
});

class BillingHistory {
  private constructor(
    private readonly api: TestApi,
    private customer: Customer,
    private readonly pictures: string[],
  ) {}

  private readonly approved: { readonly path: string; readonly body: object }[] = [];

  static async begin(factory: PictureFactory, picture: string, isMember: boolean): Promise<BillingHistory> {
    const { api } = factory;
    const customer = isMember ? await Customer.member(api) : await Customer.guest(api);
    return new BillingHistory(api, customer, await factory.copies(picture, customer, 30));
  }

  async run(actions: readonly { readonly kind: ActionKind; readonly size: number }[]): Promise<void> {
    for (const { kind, size } of actions) await this.actions[kind](size);
  }

  private readonly actions: Record<ActionKind, (size: number) => Promise<unknown>> = {
    buy: (size) => this.buy(size),
    'buy twice': (size) => Promise.all([this.buy(size), this.buy(size)]),
    charge: async () => {
      const id = await this.customer.walletCharge(999, 'usd');
      const body = { charge_id: id, amount_cents: 999, currency: 'usd', unlocked_exports: 3 };
      await Promise.all([1, 2].map(() => this.customer.visitor.post('/paypal/charges', body)));
    },
    subscribe: (size) => this.subscribe(size % 2 ? 'personal_weekly_usd' : 'business_weekly_usd', size),
    'subscribe in two tabs': async (size) => {
      const method = await this.method(size);
      if (!method) return;
      await Promise.all([
        this.subscribe('personal_weekly_usd', size, method),
        this.subscribe('business_weekly_usd', size, method),
        this.subscribe('personal_weekly_usd', size, method),
      ]);
    },
    'approve in the wallet': (size) => this.approve(size),
    'return from the wallet': () => this.reconnect(),
    'another card': async (size) => {
      const { body } = await this.customer.visitor.get('/stripe/subscriptions');
      const name = String(body.price_id ?? '').replace('sbx_price_', '');
      if (body.status === 'incomplete' || body.status === 'past_due') await this.subscribe(name, size | 3);
    },
    upgrade: () =>
      Promise.all(
        [1, 2].map(() =>
          this.customer.visitor.put('/stripe/subscriptions/upgrade', { new_price_id: price('business_weekly_usd') }),
        ),
      ),
    cancel: async () => this.customer.visitor.delete('/stripe/subscriptions'),
    refund: async (size) => {
      const [payment] = await this.payments();
      if (payment)
        await controlsOf(this.api)
          .refundPayment(payment, 100 + size * 50)
          .catch(() => undefined);
    },
    dispute: async () => {
      const [payment] = await this.payments();
      if (payment)
        await controlsOf(this.api)
          .dispute(payment)
          .catch(() => undefined);
    },
    download: async (size) => {
      const taken = this.pictures.splice(0, 1 + (size % 4));
      await Promise.all(taken.map(async (id) => this.customer.download(id)));
    },
    time: (size) => moveClock(this.api, size + 1),
    'log in': async () => {
      if ((await this.customer.me()).is_guest) this.customer = await this.customer.login(newEmail());
    },
    'lose a response': async () => faultsOf(this.api).loseNextResponse(),
  };

  private async buy(size: number): Promise<void> {
    const [picture] = this.pictures;
    const isGuest = (await this.customer.me()).is_guest;
    const requested = await (isGuest
      ? this.customer.requestIntent('single_export_usd', 1, picture)
      : this.customer.requestIntent('three_exports_usd', 3));
    if (requested.status !== 201) return;
    const { client_secret, payment_id } = requested.body;
    await this.api.http
      .post(`/api/sandbox/payments/payment_intents/${client_secret.split('_secret_')[0]}/confirm`)
      .send({ card_number: size % 5 ? CARDS.good : CARDS.noFunds });
    if (size % 3) await this.customer.confirm(payment_id);
  }

  /** The return is lost, or later. */
  private async approve(size: number): Promise<void> {
    const { is_guest, available_credits } = await this.customer.me();
    const [picture] = this.pictures;
    const isPack = is_guest || size % 3 === 0;
    const order = is_guest
      ? { price_id: price('single_export_usd'), unlocked_exports: 1, client_task_id: picture }
      : isPack
        ? { price_id: price('three_exports_usd'), unlocked_exports: 3 }
        : { price_id: price('personal_weekly_usd'), unlocked_exports: available_credits, trial: size % 4 === 0 };
    const { status, body } = await this.customer.visitor.post('/checkouts', { ...order, provider: 'paypal' });
    if (status !== 201) return;
    const { plan_id, custom_id } = body;
    const wallet = '/api/sandbox/payments/wallet';
    if (isPack) {
      const charge = { amount_cents: is_guest ? 499 : 999, currency: 'usd', custom_id };
      const approved = await this.api.http.post(`${wallet}/charges`).send(charge);
      const { unlocked_exports, client_task_id } = { client_task_id: undefined, ...order };
      const { amount_cents, currency } = charge;
      const returned = { charge_id: approved.body.charge_id, amount_cents, currency, unlocked_exports, client_task_id };
      this.approved.push({ path: '/paypal/charges', body: returned });
    } else {
      const { body: approved } = await this.api.http.post(`${wallet}/subscriptions`).send({ plan_id, custom_id });
      const returned = { subscription_id: approved.subscription_id, unlocked_exports: available_credits };
      this.approved.push({ path: '/paypal/subscriptions', body: returned });
    }
  }

  private async reconnect(): Promise<void> {
    const returned = this.approved.shift();
    if (returned) await this.customer.visitor.post(returned.path, returned.body);
  }

  private async method(size: number): Promise<string | null> {
    const setup = await this.customer.visitor.post('/stripe/intents', {});
    if (setup.status !== 201) return null;
    const path = `/api/sandbox/payments/setup_intents/${setup.body.client_secret.split('_secret_')[0]}/confirm`;
    const { body } = await this.api.http
      .post(path)
      .send({ card_number: size % 6 ? CARDS.good : CARDS.firstChargeFails });
    return body.payment_method_id;
  }

  private async subscribe(name: string, size: number, prepared?: string): Promise<void> {
    const method = prepared ?? (await this.method(size));
    if (!method) return;
    const { available_credits } = await this.customer.me();
    await this.customer.requestSubscription(name, {
      method,
      trial: size % 4 === 0,
      unlocked_exports: available_credits,
    });
  }

  private async payments(): Promise<string[]> {
    const rows = await this.api.sql<{ provider_id: string }>(
      `SELECT provider_id FROM payments WHERE user_id = $1 AND status = 'succeeded' ORDER BY created_at DESC`,
      [await this.customer.userId()],
    );
    return rows.map(({ provider_id }) => provider_id);
  }
}

/** With many changes due, it takes longer than the API keeps an idle connection. */
async function moveClock({ sandbox }: TestApi, hours: number): Promise<void> {
  const response = await fetch(`${sandbox.url}/api/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance_seconds: hours * 3600, wait: true }),
  });
  if (!response.ok) throw new Error(await response.text());
}

it(`${HTTP_HISTORY_COUNT} random histories through the providers' SDKs end in the same state here and at the provider`, {
  timeout: HTTP_HISTORY_COUNT * 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(anyHistories, async (drawn) => {
      const api = await startApi();
      const factory = await PictureFactory.open(api);
      try {
        const picture = await factory.picture(await Customer.guest(api));
        const left = [...drawn];
        const runSome = async (): Promise<void> => {
          for (let next = left.pop(); next; next = left.pop()) {
            await (await BillingHistory.begin(factory, picture, next.isMember)).run(next.actions);
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, runSome));
        await settle(api);
        await expectAgreement(api);
        expectNoRequestsInTransactions();
      } finally {
        await factory.close();
        await api.stop();
      }
    }),
    // Shrinking a failed history would take longer than reading it.
    { numRuns: Math.ceil(HTTP_HISTORY_COUNT / HTTP_GROUP), endOnFailure: true },
  );
});
