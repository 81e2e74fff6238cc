import { z } from 'zod';
import { defineRoute } from '../http/route.js';

/** A running experiment assigns segments; a draft only those that staff forces, to try it out. */
export const EXPERIMENT_STATES = ['draft', 'running', 'stopped'] as const;

const LocalStorageId = z.string().min(1).max(200);

/** The visitor that a request of the secret menu is about, beside the caller. */
const Device = z.object({
  localStorageId: LocalStorageId,
  deviceType: z.string().min(1).max(50).optional(),
  language: z.string().min(1).max(35).optional(),
});

/** An experiment with the caller's segment. */
export const Experiment = z
  .object({
    id: z.string(),
    name: z.string(),
    state: z.enum(EXPERIMENT_STATES),
    description: z.string(),
    segments: z.array(
      z.object({
        id: z.string(),
        index: z.int(),
        name: z.string(),
        weight: z.int(),
      }),
    ),
    /** Segment of this visitor; null outside of the experiment. */
    assignedSegmentId: z.string().nullable(),
    /** Staff chose the segment, or took the visitor out of the experiment. */
    isForced: z.boolean(),
  })
  .meta({ id: 'Experiment' });
export type Experiment = z.infer<typeof Experiment>;

/** Experiments of the secret menu. */
export const experimentRoutes = {
  listExperiments: defineRoute({
    method: 'POST',
    path: '/secret-menu/experiments/retrieve',
    tag: 'staff',
    summary: 'List experiments that are not stopped, with the segments of a visitor',
    allow: 'staff',
    body: Device.meta({ id: 'RetrieveExperiments' }),
    responses: { 200: z.object({ experiments: z.array(Experiment) }).meta({ id: 'Experiments' }) },
    errors: [],
    limit: 'reads',
  }),
  forceExperimentSegments: defineRoute({
    method: 'PUT',
    path: '/secret-menu/experiments/force',
    tag: 'staff',
    summary: 'Put a visitor into segments, or take them out of experiments',
    allow: 'staff',
    body: Device.extend({
      modifiedExperiments: z
        .array(
          z.object({
            id: z.string().min(1).max(100),
            /** Null: out of the experiment. */
            segmentId: z.string().min(1).max(100).nullable(),
          }),
        )
        .min(1)
        .max(100),
    }).meta({ id: 'ForceExperiments' }),
    responses: { 204: null },
    errors: ['experiments.not_found', 'experiments.segment_unknown'],
    limit: 'writes',
  }),
} as const;
