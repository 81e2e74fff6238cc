import { AiPipeline, type ToolName } from '@clearframe/contract';
import { expect, it } from 'vitest';
import messages from '../../../../locales/en/result.json';
import { choicesOf, fieldsOf, isSameChoice, TOOLS, withTool } from './choices';
import { pipelineOf, toolsForm } from './tools-form';

const ID = '6f7d2c0b-9aa6-4a2b-bcbd-a6a2b0974326';

/** The pipeline that the action sends for the fields that the panel sends. */
const sent = (pipeline: AiPipeline): AiPipeline =>
  pipelineOf(toolsForm.parse(numbersIn({ ...fieldsOf(choicesOf(pipeline)), taskId: ID, bulkUploadId: ID })));

/** Parses text to numbers, as reading a form does. */
const numbersIn = (fields: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      /Strength$|^(?:aperture|highlights|vivid)$/.test(name) ? Number(value) : value,
    ]),
  );

it.each<AiPipeline>([
  {},
  { faceEnhance: { model: 'v2' }, backgroundEnhance: { model: 'v1', strength: 0.4 } },
  { faceLifting: { model: 'glam', strength: 0 }, colorEnhance: { model: 'softWarm' } },
  { bokeh: { model: 'high', strength: 0.5 }, upscale: { factor: 4 } },
  { bokeh: { aperture: 0.2, highlights: 0.3, vivid: 1 }, upscale: { factor: 1 } },
  { repair: { model: 'v1', strength: 0.4 } },
  { fade: { model: 'v1', neutral: true, strength: 0.5 } },
  { faceEnhance: { model: 'base' }, outputSize: 'original' },
  { outputSize: 'standard' },
])('the form sends %j as it was read', (pipeline) => {
  expect(sent(pipeline)).toEqual(pipeline);
});

it('the form names every model of the contract', () => {
  const named = messages.panel.models as Record<ToolName, Record<string, string>>;
  for (const tool of TOOLS) {
    const models: readonly string[] = toolsForm.shape[tool].unwrap().options;
    expect(Object.keys(named[tool]).sort()).toEqual([...models].sort());
  }
  expect(Object.keys(AiPipeline.shape).sort()).toEqual([...TOOLS, 'auto', 'outputSize', 'upscale'].sort());
});

it('the strength of a tool that is off makes no difference', () => {
  const choices = choicesOf({ faceEnhance: { model: 'base' } });
  const weaker = withTool(choices, 'bokeh', { strength: 10 });
  expect(isSameChoice(choices, weaker)).toBe(true);
  expect(isSameChoice(choices, withTool(weaker, 'bokeh', { model: 'low' }))).toBe(false);
});

it('the standard size is the same as none, the original size is not', () => {
  expect(isSameChoice(choicesOf({}), choicesOf({ outputSize: 'standard' }))).toBe(true);
  expect(isSameChoice(choicesOf({}), choicesOf({ outputSize: 'original' }))).toBe(false);
});
