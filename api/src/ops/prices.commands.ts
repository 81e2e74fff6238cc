import { formatPrice, PRICES } from '@clearframe/contract';
import { PaymentsConfig } from '../billing/payments.config.js';
import { SandboxPrices } from '../billing/sandbox/sandbox-prices.js';
import { type Command, table, UsageError } from './command.js';

const list: Command = {
  name: 'prices list',
  usage: '',
  summary: 'show everything that is or was sold, with the ids that requests name it by',
  async run(_args, { environment }) {
    if (PaymentsConfig.fromEnvironment(environment).provider === 'none') {
      throw new UsageError('PAYMENTS_PROVIDER is none: nothing is sold');
    }
    const prices = new SandboxPrices();
    const rows = PRICES.map(({ id, amountCents, currency, isDeprecated }) => [
      id,
      formatPrice(amountCents, currency),
      prices.idOf(id),
      isDeprecated ? 'no longer sold' : '',
    ]);
    return table([['PRICE', 'AMOUNT', 'PRICE ID', ''], ...rows]);
  },
};

export const priceCommands: readonly Command[] = [list];
