import { type CataloguePrice, inSeconds, PRICES, priceOf, WEEKS_PER_PERIOD } from '@clearframe/contract';
import { ConfigurationError } from '@clearframe/runtime/config';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type Stripe from 'stripe';
import { ProviderUnavailable } from '../payment-provider.js';
import { StripeConfig } from './stripe.config.js';
import { callStripe, createStripe, orNull } from './stripe-client.js';

const WEEK_SECONDS = inSeconds.days(7);
const SECONDS_PER: Readonly<Record<string, number>> = { day: inSeconds.days(1), week: WEEK_SECONDS };

@Injectable()
export class StripePrices implements OnApplicationBootstrap {
  private readonly logger = new Logger(StripePrices.name);
  private readonly names: ReadonlyMap<string, string>;
  private readonly stripe: Stripe;

  constructor(private readonly config: StripeConfig) {
    this.stripe = createStripe(config);
    this.names = new Map([...config.prices].map(([name, id]) => [id, name]));
  }

  /** @throws ConfigurationError for a price that differs: the product must not sell it */
  async onApplicationBootstrap(): Promise<void> {
    try {
      const { data } = await callStripe(() => this.stripe.prices.list({ limit: 100 }));
      await Promise.all(PRICES.map((price) => this.check(price, data)));
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      // An outage of Stripe doesn't stop the product; the ids were checked at earlier starts.
      this.logger.warn(`the prices could not be compared: ${error.message}`);
    }
  }

  findId(name: string): string | undefined {
    return this.config.prices.get(name);
  }

  /** @throws Error for an unknown price */
  idOf(name: string): string {
    const id = this.findId(name);
    if (id === undefined) throw new Error(`no price is called ${name}`);
    return id;
  }

  priceOf(id: string): string | undefined {
    return this.names.get(id);
  }

  trialOfferOf(introPriceId: string): string {
    const offer = this.config.trialOffers.get(this.priceOf(introPriceId) ?? '');
    if (offer === undefined) throw new Error(`${introPriceId} is no introductory price`);
    return offer;
  }

  renewalPriceOf(priceId: string): string {
    const price = priceOf(this.priceOf(priceId) ?? '');
    return price?.kind === 'intro' ? this.idOf(price.planPriceId) : priceId;
  }

  /** @param listed the newest prices of the account; others are read */
  private async check(price: CataloguePrice, listed: readonly Stripe.Price[]): Promise<void> {
    const id = this.idOf(price.id);
    const found =
      listed.find((one) => one.id === id) ?? (await callStripe(() => orNull(this.stripe.prices.retrieve(id))));
    if (!found) throw new ConfigurationError(`STRIPE_PRICES: ${id} of ${price.id} does not exist`);
    const difference = differenceOf(price, found);
    if (difference) throw new ConfigurationError(`STRIPE_PRICES: ${id} of ${price.id} ${difference}`);
  }
}

function differenceOf(price: CataloguePrice, found: Stripe.Price): string | null {
  if (found.unit_amount !== price.amountCents) return `costs ${found.unit_amount}, not ${price.amountCents}`;
  if (found.currency !== price.currency) return `is in ${found.currency}, not ${price.currency}`;
  if (!price.isDeprecated && !found.active) return 'is archived';
  const { recurring } = found;
  const seconds = recurring && (SECONDS_PER[recurring.interval] ?? 0) * recurring.interval_count;
  const expected = periodOf(price);
  return seconds === expected ? null : `recurs every ${seconds} s, not every ${expected} s`;
}

/** In seconds; null for a single payment. */
function periodOf(price: CataloguePrice): number | null {
  if (price.kind === 'pack') return null;
  return price.kind === 'plan' ? WEEKS_PER_PERIOD[price.period] * WEEK_SECONDS : WEEK_SECONDS;
}
