import { describe, expect, it } from 'vitest';
import { STATES } from '../../support/payments/buyers.ts';
import { BLOCKED_VISIT, disagreements, VISITS, type Visit } from '../../support/payments/purchase-agreement.ts';

/** The long form checks all prices in every state. */
const NAMES = [
  'single_export_usd',
  'personal_weekly_usd',
  'business_yearly_usd',
  'personal_intro_usd',
  'personal_weekly_former_usd',
  'none',
];
const SAMPLED = ['guest with a picture', 'personal weekly by card', 'incomplete', 'past due'];

describe('page, form and API agree on a price of each kind', () => {
  it.each(STATES.filter(([state]) => SAMPLED.includes(state)))('for a visitor who is %s', async (_state, make) => {
    const buyer = await make();
    const wrong: string[] = [];
    for (const [index, name] of NAMES.entries()) {
      const visit = VISITS[index % VISITS.length] as Visit;
      const lines = await disagreements(buyer, name, visit);
      wrong.push(...lines.map((line) => `${name} ${JSON.stringify(visit)} ${line}`));
    }
    expect(wrong).toEqual([]);
  });

  it('also in a blocked country', async () => {
    const [[, make] = STATES[0] ?? []] = STATES;
    if (!make) throw new Error('no states');
    const buyer = await make();
    for (const name of NAMES) expect(await disagreements(buyer, name, BLOCKED_VISIT)).toEqual([]);
  });
});
