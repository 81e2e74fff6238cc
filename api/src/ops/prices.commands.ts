import { parseArgs } from 'node:util';
import { formatPrice, inMilliseconds, type PlanPrice, PRICES, priceOf } from '@clearframe/contract';
import { announcePriceChange, PRICE_NOTICE_DAYS_BEFORE } from '../billing-mail/price-change.js';
import { MailConfig } from '../mail/mail.config.js';
import { MailComposer } from '../mail/mail-composer.js';
import { MailTexts } from '../mail/mail-kinds.js';
import { MailMessageRepository } from '../mail/mail-message.repository.js';
import { Mailer } from '../mail/mailer.js';
import { paymentsProviderIn } from '../providers/payments.config.js';
import { idsIn } from '../providers/provider-settings.js';
import { type Command, table, UsageError } from './command.js';

const list: Command = {
  name: 'prices list',
  usage: '',
  summary: 'list current and former prices with their ids',
  async run(_args, { environment }) {
    if (paymentsProviderIn(environment) === 'none') throw new UsageError('PAYMENTS_PROVIDER is none: nothing is sold');
    const ids = idsIn('STRIPE_PRICES', environment.STRIPE_PRICES ?? 'sbx_price_*', PRICES);
    const rows = PRICES.map(({ id, amountCents, currency, isDeprecated }) => [
      id,
      formatPrice(amountCents, currency),
      ids.get(id) ?? '',
      isDeprecated ? 'no longer sold' : '',
    ]);
    return table([['PRICE', 'AMOUNT', 'PRICE ID', ''], ...rows]);
  },
};

/** @throws UsageError for an unknown price or one that is not a plan's */
function planPrice(name: string | undefined): PlanPrice {
  const price = name === undefined ? undefined : priceOf(name);
  if (price?.kind !== 'plan') throw new UsageError(`${name} is not the price of a plan: see pnpm ops prices list`);
  return price;
}

/** The date on which a price takes effect; subscribers need notice. */
function dayOf(text: string | undefined): Date {
  const day = new Date(text ?? '');
  const earliest = new Date(Date.now() + inMilliseconds.days(PRICE_NOTICE_DAYS_BEFORE));
  if (Number.isNaN(day.getTime()) || day < earliest) {
    throw new UsageError(`--on must be a date at least ${PRICE_NOTICE_DAYS_BEFORE} days from now`);
  }
  return day;
}

const announce: Command = {
  name: 'prices announce',
  usage: '<price> --to <price> --on <date>',
  summary: 'notify subscribers by mail of a new price; repeated calls notify new subscribers only',
  async run(args, { database, audit, actor, environment }) {
    const options = { to: { type: 'string' }, on: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [from, to, on] = [planPrice(positionals[0]), planPrice(values.to), dayOf(values.on)];
    const isSamePlan = from.plan === to.plan && from.period === to.period && from.currency === to.currency;
    if (!isSamePlan || from.id === to.id) throw new UsageError(`${to.id} is not another price of the same plan`);
    const config = MailConfig.fromEnvironment(environment);
    const composer = new MailComposer(new MailTexts(), config);
    const mailer = new Mailer(new MailMessageRepository(database), composer, null);
    const change = { from, to, on, publicUrl: config.publicUrl };
    const count = await database.transaction(async (manager) => {
      const written = await announcePriceChange(manager, mailer, change);
      const details = { from: from.id, to: to.id, on: on.toISOString(), mails: written };
      await audit.record({ actor, action: 'prices.announce', details }, manager);
      return written;
    });
    return `${count} will be notified; change the price at the payment provider on that day`;
  },
};

export const priceCommands: readonly Command[] = [list, announce];
