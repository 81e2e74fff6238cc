import { describe, expect, it } from 'vitest';
import { assignSegment } from './experiments.service.js';

const VISITORS = Array.from({ length: 10_000 }, (_, index) => `visitor-${index}`);

const experiment = (id: string, weights: Readonly<Record<string, number>>) => ({
  id,
  segments: Object.entries(weights).map(([segment, weight]) => ({ id: segment, weight, flags: {} })),
});

const segmentsOf = (one: ReturnType<typeof experiment>): (string | undefined)[] =>
  VISITORS.map((visitor) => assignSegment(one, visitor)?.id);

const shareOf = (segments: readonly unknown[], id: string): number =>
  segments.filter((segment) => segment === id).length / segments.length;

describe('a segment', () => {
  /** Four standard deviations of a share among 10,000. */
  const boundOf = (share: number): number => 4 * Math.sqrt((share * (1 - share)) / VISITORS.length);

  it.each<Readonly<Record<string, number>>>([
    { a: 50, b: 50 },
    { a: 1, b: 1, c: 1 },
    { a: 90, b: 9, c: 1 },
    { a: 1000, b: 0, c: 1000 },
  ])('is taken by as many of 10,000 visitors as its weight says: %o', (weights) => {
    const segments = segmentsOf(experiment('label', weights));
    const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
    for (const [id, weight] of Object.entries(weights)) {
      const share = weight / total;
      expect(Math.abs(shareOf(segments, id) - share)).toBeLessThanOrEqual(boundOf(share));
    }
    expect(segments).not.toContain(undefined);
  });

  it('is independent of the same visitor’s in another experiment', () => {
    const [first, second] = ['one', 'two'].map((id) => segmentsOf(experiment(id, { a: 1, b: 1 })));
    const both = VISITORS.filter((_, index) => first?.[index] === 'a' && second?.[index] === 'a').length;
    expect(Math.abs(both / VISITORS.length - 0.25)).toBeLessThanOrEqual(boundOf(0.25));
  });

  it('depends on both ids only', () => {
    const label = experiment('label', { a: 3, b: 7 });
    expect(segmentsOf(label)).toEqual(segmentsOf(experiment('label', { a: 3, b: 7 })));
    expect(assignSegment(label, VISITORS[0] ?? '')).toEqual(assignSegment(label, VISITORS[0] ?? ''));
    expect(segmentsOf(label)).not.toEqual(segmentsOf(experiment('other', { a: 3, b: 7 })));
  });

  it('is null without weights', () => expect(assignSegment(experiment('label', { a: 0 }), 'visitor')).toBeNull());
});
