import { expect, it } from 'vitest';
import { PipelineProgress } from './progress.js';

it.each([[[0.22, 0.1, 0.1, 0.8]], [[0.02, 0.03, 0.49, 0.87]], [[0.7, 1.1, 1 / 3, 0]]])(
  'ends at exactly 1 after steps of %s seconds',
  (seconds) => {
    const reached: number[] = [];
    const progress = new PipelineProgress((fraction) => reached.push(fraction));
    const steps = seconds.map((expected, index) => ({ name: `${seconds}: ${index}`, seconds: expected }));
    for (let index = 0; index < steps.length; index++) progress.begin(steps.slice(index))(1);
    expect(reached.at(-1)).toBe(1);
    expect(reached).toEqual(reached.toSorted((one, other) => one - other));
  },
);
