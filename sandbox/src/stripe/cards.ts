import { newSecret } from '../core/ids.js';
import { Rejection } from '../core/problem.js';

export interface TestCard {
  readonly number: string;
  readonly label: string;
  /** Result of presenting the card: accepted, authenticated on a page of its bank, or declined for this reason. */
  readonly presented: 'accepted' | 'redirected' | DeclineCode;
  /** Reason why later charges fail; null when they succeed. */
  readonly declineCode: DeclineCode | null;
  /** Null for a new one at each use, as for different cards. */
  readonly fingerprint: string | null;
}

type DeclineCode = 'card_declined' | 'insufficient_funds' | 'authentication_failed';

const card = (number: string, label: string, behavior: Partial<TestCard> = {}): TestCard => ({
  number,
  label,
  presented: 'accepted',
  declineCode: null,
  fingerprint: null,
  ...behavior,
});

/** In the order of the checkout page. */
export const TEST_CARDS: readonly TestCard[] = [
  card('4242424242424242', 'Succeeds'),
  card('5555555555554444', 'Succeeds, always as the same card', { fingerprint: 'sbx_fp_always_the_same' }),
  card('4000000000003220', 'Asks for a confirmation first', { presented: 'redirected' }),
  card('4000000000000002', 'Declined', { presented: 'card_declined', declineCode: 'card_declined' }),
  card('4000000000009995', 'Insufficient funds', {
    presented: 'insufficient_funds',
    declineCode: 'insufficient_funds',
  }),
  card('4000000000000341', 'Accepted, but charges fail', { declineCode: 'card_declined' }),
];

const BY_NUMBER = new Map(TEST_CARDS.map((known) => [known.number, known]));

const DIGITS = /^\d{12,19}$/;

/** Real card numbers have a valid check digit. */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/**
 * Ignores spaces and dashes. The number isn't stored.
 * @throws Rejection `sandbox.real_card_refused` for a possibly real card, `request.invalid` for anything else
 */
export function testCardOf(number: string): TestCard {
  const digits = number.replace(/[\s-]/g, '');
  const known = BY_NUMBER.get(digits);
  if (known) return known;
  if (DIGITS.test(digits) && passesLuhn(digits)) throw new Rejection('sandbox.real_card_refused');
  const description = 'Not the number of a test card';
  throw new Rejection('request.invalid', description, { card_number: description });
}

export const fingerprintOf = ({ fingerprint }: Pick<TestCard, 'fingerprint'>): string =>
  fingerprint ?? `sbx_fp_${newSecret()}`;
