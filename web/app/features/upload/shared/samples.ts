/** Sample pictures; origin and licence in public/samples/LICENCE.md. */
export const SAMPLE_NAMES = ['astronaut', 'coffee', 'chelsea'] as const;
export type SampleName = (typeof SAMPLE_NAMES)[number];
