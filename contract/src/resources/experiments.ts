import { z } from 'zod';
import { defineRoute } from '../http/route.js';

/** A running experiment assigns segments; a draft only those that staff forces, to try it out. */
export const EXPERIMENT_STATES = ['draft', 'running', 'stopped'] as const;

const LocalStorageId = z.string().min(1).max(200);

/** The visitor that a request of the secret menu is about, beside the caller. */
const Device = z.object({
  localStorageId: LocalStorageId.describe(
    'Random id of the browser, by which experiments are assigned; 1 to 200 characters.',
  ),
  deviceType: z.string().min(1).max(50).optional().describe('Kind of the device; 1 to 50 characters.'),
  language: z.string().min(1).max(35).optional().describe('Language of the page.'),
});

/** An experiment with the caller's segment. */
export const Experiment = z
  .object({
    id: z.string().describe('Id of the experiment.'),
    name: z.string().describe('Its name.'),
    state: z
      .enum(EXPERIMENT_STATES)
      .describe('A running experiment assigns segments; a draft only those that staff forces.'),
    description: z.string().describe('What it tries.'),
    segments: z
      .array(
        z.object({
          id: z.string().describe('Id of the segment.'),
          index: z.int().describe('Its place, from 0.'),
          name: z.string().describe('Its name.'),
          weight: z.int().describe('Its share of visitors, relative to the weights of the others.'),
        }),
      )
      .describe('Its segments, in order.'),
    assignedSegmentId: z.string().nullable().describe('Segment of this visitor; null outside of the experiment.'),
    isForced: z.boolean().describe('Staff chose the segment, or took the visitor out of the experiment.'),
  })
  .meta({ id: 'Experiment' });
export type Experiment = z.infer<typeof Experiment>;

/** Experiments of the secret menu. */
export const experimentRoutes = {
  listExperiments: defineRoute({
    method: 'POST',
    path: '/secret-menu/experiments/retrieve',
    tag: 'staff',
    summary: 'List experiments',
    description: 'Returns experiments that are not stopped, with the segments of a visitor.',
    allow: 'staff',
    body: Device.meta({ id: 'RetrieveExperiments' }),
    responses: {
      200: z
        .object({ experiments: z.array(Experiment).describe('Experiments that are not stopped.') })
        .meta({ id: 'Experiments' }),
    },
    errors: [],
    limit: 'reads',
  }),
  forceExperimentSegments: defineRoute({
    method: 'PUT',
    path: '/secret-menu/experiments/force',
    tag: 'staff',
    summary: 'Choose segments',
    description: 'Puts a visitor into segments, or takes them out of experiments.',
    allow: 'staff',
    body: Device.extend({
      modifiedExperiments: z
        .array(
          z.object({
            id: z.string().min(1).max(100).describe('Id of the experiment.'),
            segmentId: z
              .string()
              .min(1)
              .max(100)
              .nullable()
              .describe('Id of the segment; null: out of the experiment.'),
          }),
        )
        .min(1)
        .max(100)
        .describe('The experiments to change, at most 100.'),
    }).meta({ id: 'ForceExperiments' }),
    responses: { 204: null },
    errors: ['experiments.not_found', 'experiments.segment_unknown'],
    limit: 'writes',
  }),
} as const;
