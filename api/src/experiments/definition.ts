import { FLAG_NAMES, FLAGS, type FlagName, PROCESSING_FLAGS } from '@clearframe/contract';
import { z } from 'zod';

const MAX_WEIGHT = 1_000_000;

const Id = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, { error: 'use at most 60 of a-z, 0-9, - and _' });

const isForVisitors = (name: FlagName): boolean => !PROCESSING_FLAGS.some((flag) => flag === name);

/** Flags that a segment sets, checked like those of `pnpm ops settings`. */
const SegmentFlags = z.strictObject(
  Object.fromEntries(FLAG_NAMES.filter(isForVisitors).map((name) => [name, FLAGS[name].schema.optional()])),
);

export const Segment = z.strictObject({
  id: Id,
  name: z.string().min(1).max(100).optional(),
  /** Relative to the sum of all weights; 0: forced only. */
  weight: z.int().min(0).max(MAX_WEIGHT),
  flags: SegmentFlags.default({}),
});
export type Segment = z.infer<typeof Segment>;

const hasDistinctIds = (segments: readonly Segment[]): boolean =>
  new Set(segments.map(({ id }) => id)).size === segments.length;

export const ExperimentDefinition = z.object({
  id: Id,
  name: z.string().min(1).max(100),
  description: z.string().max(1_000),
  segments: z
    .array(Segment)
    .min(1, { error: 'give at least one segment' })
    .max(20)
    .refine(hasDistinctIds, { error: 'two segments have the same id' })
    .refine((segments) => segments.some(({ weight }) => weight > 0), { error: 'the weights add up to 0' }),
});
export type ExperimentDefinition = z.infer<typeof ExperimentDefinition>;

export const flagsSetBy = (segments: readonly Segment[]): ReadonlySet<string> =>
  new Set(segments.flatMap(({ flags }) => Object.keys(flags)));
