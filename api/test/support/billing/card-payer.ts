import { randomUUID } from 'node:crypto';
import type { CardProvider, SubscriptionSnapshot } from '../../../src/providers/payment-provider.js';
import type { ProviderPrices } from '../../../src/providers/provider-prices.js';

export const CARD = {
  succeeds: '4242 4242 4242 4242',
  sameFingerprint: '5555 5555 5555 4444',
  redirected: '4000 0000 0000 3220',
  declined: '4000 0000 0000 0002',
  insufficientFunds: '4000 0000 0000 9995',
  chargeFails: '4000 0000 0000 0341',
} as const;

export const DAY_SECONDS = 86_400;

export const daysAfter = (moment: Date, days: number): Date => new Date(moment.getTime() + days * DAY_SECONDS * 1000);

export const newKey = (): string => randomUUID();

interface SubscriptionRequest {
  readonly customerId?: string;
  readonly paymentMethodId?: string | null;
  readonly price?: string;
  readonly intro?: string | null;
  readonly trialDays?: number | null;
  readonly reference?: string;
  readonly failIfUnpaid?: boolean;
  readonly key?: string;
}

interface CardHolder {
  readonly customerId: string;
  readonly paymentMethodId: string;
}

export abstract class CardPayer<Cards extends CardProvider = CardProvider> {
  abstract readonly cards: Cards;
  abstract readonly prices: Pick<ProviderPrices, 'idOf'>;

  protected abstract save(clientSecret: string, cardNumber: string): Promise<string>;

  customer(): Promise<string> {
    return this.cards.ensureCustomer({ id: randomUUID(), email: null });
  }

  async cardHolder(cardNumber: string = CARD.succeeds): Promise<CardHolder> {
    const customerId = await this.customer();
    const { clientSecret } = await this.cards.createSetupIntent(customerId, newKey());
    return { customerId, paymentMethodId: await this.save(clientSecret, cardNumber) };
  }

  async subscribe({
    price = 'personal_weekly_usd',
    intro = null,
    ...request
  }: SubscriptionRequest = {}): Promise<SubscriptionSnapshot> {
    const holder = request.customerId === undefined ? await this.cardHolder() : {};
    return this.cards.createSubscription({
      paymentMethodId: null,
      trialDays: null,
      reference: randomUUID(),
      failIfUnpaid: false,
      key: newKey(),
      customerId: '',
      ...holder,
      ...request,
      priceId: this.prices.idOf(price),
      introPriceId: intro === null ? null : this.prices.idOf(intro),
    });
  }
}
