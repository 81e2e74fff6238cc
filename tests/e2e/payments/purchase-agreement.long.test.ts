import { describe, expect, it } from 'vitest';
import { STATES } from '../../support/payments/buyers.ts';
import { BLOCKED_VISIT, disagreements, NAMES, VISITS, type Visit } from '../../support/payments/purchase-agreement.ts';

interface Row {
  readonly name: string;
  readonly visit: Visit;
}

const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;

/** Each price with a query, and one price in a blocked country, both in turn by state. */
const rowsOf = (state: number): Row[] => [
  ...NAMES.map((name, index) => ({ name, visit: at(VISITS, index + state) })),
  { name: at(NAMES, state), visit: BLOCKED_VISIT },
];

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

  it('in every pair of state and price, of state and query, and of price and query', () => {
    const rows = STATES.flatMap(([state], index) => rowsOf(index).map((row) => ({ state, ...row })));
    const allowed = rows.filter(({ visit }) => visit !== BLOCKED_VISIT);
    const pairs = (of: (row: (typeof rows)[number]) => unknown, from = rows) =>
      new Set(from.map((row) => JSON.stringify(of(row)))).size;
    const visits = VISITS.length + 1;
    expect(pairs(({ state, name }) => [state, name], allowed)).toBe(STATES.length * NAMES.length);
    expect(pairs(({ state, visit }) => [state, visit])).toBe(STATES.length * visits);
    expect(pairs(({ name, visit }) => [name, visit])).toBe(NAMES.length * visits);
  });
});
