import { describe, expect, it } from 'vitest';
import { STATES } from '../../support/payments/buyers.ts';
import { disagreements, NAMES, VISITS } from '../../support/payments/purchase-agreement.ts';

/** Each price with its usual query and another. */
const rowsOf = (state: number) =>
  NAMES.flatMap((name, index) => [
    { name, visit: VISITS[0] },
    { name, visit: VISITS[1 + ((index + state) % (VISITS.length - 1))] ?? VISITS[0] },
  ]);

describe('page, form and API agree on every price', () => {
  it.each(STATES.map(([state, make], index) => [state, make, rowsOf(index)] as const))(
    'for a visitor who is %s',
    async (_state, make, rows) => {
      const buyer = await make();
      const wrong: string[] = [];
      for (const { name, visit } of rows) {
        const lines = await disagreements(buyer, name, visit);
        wrong.push(...lines.map((line) => `${name} ${JSON.stringify(visit)} ${line}`));
      }
      expect(wrong).toEqual([]);
    },
  );

  it('in hundreds of cases', () => {
    expect(STATES.reduce((sum, _state, index) => sum + rowsOf(index).length, 0)).toBeGreaterThan(400);
  });
});
