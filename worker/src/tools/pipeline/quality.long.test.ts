import { describe, it } from 'vitest';
import { expectNearer, type QualityCase } from '../../test/quality-cases.js';

const CASES: QualityCase[] = [
  ['blurred and clean', { blur: 2.5, jpeg: 92 }, 0.005],
  ['reduced and clean', { reduction: 3, jpeg: 92 }, 0],
  ['blurred and noisy', { blur: 4, noise: 7, jpeg: 92 }, 0.12],
];

describe('face and background together', () => {
  it.each(CASES)('bring a %s picture closer to its original', expectNearer);
});
