import { createHash } from 'node:crypto';
import type { Segment } from './definition.js';

/** Bytes of the hash that are used: the largest integer that a double holds exactly has 53 bits. */
const HASH_BYTES = 6;
const HASH_RANGE = 2 ** (8 * HASH_BYTES);

interface Assignable {
  readonly id: string;
  readonly segments: readonly Segment[];
}

/**
 * The segment of a visitor, by weight. It follows from both ids alone: segments of one experiment are independent of
 * those of another, and no assignment needs to be stored.
 */
export function assignSegment({ id, segments }: Assignable, localStorageId: string): Segment | null {
  const hash = createHash('sha256')
    .update(JSON.stringify([id, localStorageId]))
    .digest()
    .readUIntBE(0, HASH_BYTES);
  const total = segments.reduce((sum, { weight }) => sum + weight, 0);
  let rest = (hash / HASH_RANGE) * total;
  for (const segment of segments) {
    rest -= segment.weight;
    if (rest < 0) return segment;
  }
  return null;
}
