import { expect, it } from 'vitest';
import { modelsFolder, readManifest } from '../../networks/manifest.js';
import { Sessions } from '../../networks/sessions.js';
import type { Raster } from '../../rasters/raster.js';
import { portrait } from '../../test/quality.js';
import { runPipeline } from './pipeline.js';
import { renderLooks } from './render-looks.js';

const sessions = new Sessions(await readManifest(modelsFolder()), 2);

const greatestDifference = (one: Raster, other: Raster): number =>
  one.data.reduce((most, value, at) => Math.max(most, Math.abs(value - (other.data[at] ?? 0))), 0);

it('renders every look, blur and style on the other tools of a result', async () => {
  const base = await portrait();
  const options = { signal: new AbortController().signal };
  const pipeline = { bokeh: { model: 'medium' }, colorEnhance: { model: 'golden' } } as const;
  const looks = await renderLooks(sessions, base, pipeline, options);
  expect(looks.map(({ tool, model }) => `${tool} ${model}`)).toEqual([
    ...['golden', 'steady', 'balanced', 'orange', 'silky', 'muted', 'teal', 'softWarm'].map(
      (each) => `color_enhance ${each}`,
    ),
    ...['low', 'medium', 'high'].map((each) => `bokeh ${each}`),
    ...['movie', 'glam', 'cute', 'natural'].map((each) => `face_lifting ${each}`),
  ]);
  const { raster } = await runPipeline(sessions, base, pipeline, { ...options, onProgress: () => undefined });
  // Their table of colors is coarser.
  const same = looks.filter((look) => greatestDifference(look.raster, raster) <= 3);
  expect(same.map(({ model }) => model)).toEqual(['golden', 'medium']);
  expect(new Set(looks.map((look) => Buffer.from(look.raster.data).toString('base64'))).size).toBe(looks.length - 1);
});
