import type { AiPipeline } from '@clearframe/contract';

/** In the order of a pipeline's keys. */
export const TOOLS = [
  'repair',
  'faceEnhance',
  'faceLifting',
  'backgroundEnhance',
  'bokeh',
  'fade',
  'colorEnhance',
] as const;
export type Tool = (typeof TOOLS)[number];

export const UPSCALE_FACTORS = ['auto', '1', '2', '4'] as const;
export type UpscaleFactor = (typeof UPSCALE_FACTORS)[number];

export const OUTPUT_SIZES = ['standard', 'original'] as const;
export type OutputSize = (typeof OUTPUT_SIZES)[number];

/** A bokeh of an API client: values instead of a preset. */
export const CUSTOM_BOKEH = 'custom';

interface BokehValues {
  readonly aperture: number;
  readonly highlights: number;
  readonly vivid: number;
}

export interface ToolChoice {
  /** Null: the tool is off. */
  readonly model: string | null;
  /** In percent. */
  readonly strength: number;
}

export interface Choices {
  readonly tools: Readonly<Record<Tool, ToolChoice>>;
  /** Values of {@link CUSTOM_BOKEH}. */
  readonly bokehValues: BokehValues | null;
  /** `fade` makes a sepia print gray. */
  readonly isNeutral: boolean;
  readonly upscale: UpscaleFactor;
  /** Null: none was asked for. */
  readonly outputSize: OutputSize | null;
}

export const FULL_STRENGTH = 100;

export function choicesOf(pipeline: AiPipeline): Choices {
  const { bokeh, fade, upscale, outputSize = null } = pipeline;
  const bokehValues =
    bokeh && 'aperture' in bokeh
      ? { aperture: bokeh.aperture, highlights: bokeh.highlights, vivid: bokeh.vivid }
      : null;
  const choiceOf = (tool: Tool): ToolChoice => {
    const settings = pipeline[tool];
    return {
      model: settings ? ('model' in settings ? settings.model : CUSTOM_BOKEH) : null,
      strength: Math.round((settings?.strength ?? 1) * FULL_STRENGTH),
    };
  };
  return {
    tools: {
      repair: choiceOf('repair'),
      faceEnhance: choiceOf('faceEnhance'),
      faceLifting: choiceOf('faceLifting'),
      backgroundEnhance: choiceOf('backgroundEnhance'),
      bokeh: choiceOf('bokeh'),
      fade: choiceOf('fade'),
      colorEnhance: choiceOf('colorEnhance'),
    },
    bokehValues,
    isNeutral: fade?.neutral ?? false,
    upscale: factorOf(upscale?.factor),
    outputSize,
  };
}

const factorOf = (factor: string | number | undefined): UpscaleFactor =>
  UPSCALE_FACTORS.find((one) => one === String(factor)) ?? 'auto';

export function fieldsOf({ tools, bokehValues, isNeutral, upscale, outputSize }: Choices): Record<string, string> {
  const fields: Record<string, string> = { upscale, ...(outputSize && { outputSize }) };
  for (const tool of TOOLS) {
    const { model, strength } = tools[tool];
    if (model === null) continue;
    fields[tool] = model;
    fields[`${tool}On`] = 'yes';
    fields[`${tool}Strength`] = String(strength);
  }
  if (isNeutral && tools.fade.model !== null) fields.fadeNeutral = 'yes';
  return { ...fields, ...bokehFieldsOf({ bokehValues }) };
}

/** Values of {@link CUSTOM_BOKEH}, which no control shows. */
export const bokehFieldsOf = ({ bokehValues }: Pick<Choices, 'bokehValues'>): Record<string, string> =>
  Object.fromEntries(Object.entries(bokehValues ?? {}).map(([name, value]) => [name, String(value)]));

/** Whether both give the same picture. The strength of a tool that is off doesn't count. */
export const isSameChoice = (a: Choices, b: Choices): boolean => keyOf(a) === keyOf(b);

function keyOf({ tools, bokehValues, isNeutral, upscale, outputSize }: Choices): string {
  const used = TOOLS.map((tool) => (tools[tool].model === null ? null : [tools[tool].model, tools[tool].strength]));
  return JSON.stringify([
    used,
    tools.bokeh.model === CUSTOM_BOKEH ? bokehValues : null,
    isNeutral && tools.fade.model !== null,
    upscale,
    outputSize ?? 'standard',
  ]);
}

export const withTool = (choices: Choices, tool: Tool, change: Partial<ToolChoice>): Choices => ({
  ...choices,
  tools: { ...choices.tools, [tool]: { ...choices.tools[tool], ...change } },
});
