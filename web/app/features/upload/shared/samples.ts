/** Sample pictures and their results, made by tests/samples.ts; origin and licence in public/samples/LICENCE.md. */
export const SAMPLE_NAMES = ['astronaut', 'chelsea', 'coffee'] as const;
export type SampleName = (typeof SAMPLE_NAMES)[number];

/** In pixels. */
export const SAMPLE_SIZE = { width: 800, height: 1000 } as const;

export const sampleIn = (search: string): SampleName => {
  const chosen = new URLSearchParams(search).get('sample');
  return SAMPLE_NAMES.find((name) => name === chosen) ?? 'astronaut';
};
