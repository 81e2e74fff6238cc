import type { Tools } from '../pipeline.ts';
import { type Call, type Option, textOf } from './command.ts';
import { UsageError } from './exit-codes.ts';

export const PRESETS = {
  portrait: { faces: 'v2', background: 'base' },
  landscape: { background: 'v1', color: 'balanced' },
  scan: { faces: 'v2', background: 'v1', upscale: 'auto' },
  auto: { pipeline: 'auto' },
} as const satisfies Record<string, Tools>;

const MODELS = {
  faces: ['base', 'v1', 'v2'],
  background: ['base', 'v1'],
  retouch: ['natural', 'movie', 'glam', 'cute'],
  blur: ['low', 'medium', 'high'],
  color: ['golden', 'steady', 'balanced', 'orange', 'silky', 'muted', 'teal', 'softWarm'],
} as const satisfies Partial<Record<keyof Tools, readonly string[]>>;
const HELP = {
  faces: 'restore faces',
  background: 'restore everything but faces',
  retouch: 'retouch faces',
  blur: 'blur the background behind people',
  color: 'grade color and light',
} as const;

const OUTPUT_SIZES = ['standard', 'original'] as const satisfies readonly Tools['outputSize'][];

const toolOption = (name: keyof typeof MODELS): Option => ({
  type: 'string',
  value: 'MODEL[:STRENGTH]',
  help: `${HELP[name]}: ${MODELS[name].join(', ')}; strength 0 to 1`,
  choices: [...MODELS[name], 'none'],
});

export const VIDEO_TOOL_OPTIONS = {
  faces: toolOption('faces'),
  background: toolOption('background'),
  color: toolOption('color'),
  pipeline: { type: 'string', value: 'JSON', help: "the API's `ai_pipeline` instead of single tools" },
} as const satisfies Record<string, Option>;

export const TOOL_OPTIONS = {
  preset: {
    type: 'string',
    value: 'NAME',
    help: `tools for a kind of picture: ${Object.keys(PRESETS).join(', ')}; other options change it, none removes a tool`,
    choices: Object.keys(PRESETS),
  },
  ...VIDEO_TOOL_OPTIONS,
  retouch: toolOption('retouch'),
  blur: toolOption('blur'),
  upscale: { type: 'string', value: 'FACTOR', help: 'enlarge: auto, 1, 2, 4', choices: ['auto', '1', '2', '4'] },
  'output-size': {
    type: 'string',
    value: 'SIZE',
    help: 'of results: standard, at most 2048 pixels a side, or original, with Business',
    choices: OUTPUT_SIZES,
  },
} as const satisfies Record<string, Option>;

/** @throws UsageError for a value that no version of the API accepts; models are the server's to know */
export function toolsOf(call: Call): Tools {
  const size = sizeOf(call);
  const text = textOf(call, 'pipeline');
  if (text !== undefined) return { pipeline: parsePipeline(text), ...size };
  const preset = textOf(call, 'preset');
  if (preset !== undefined && !Object.hasOwn(PRESETS, preset))
    throw new UsageError(`There is no preset ${preset}: ${Object.keys(PRESETS).join(', ')}.`);
  const chosen = Object.keys(MODELS).flatMap((name) => {
    const value = textOf(call, name);
    return value === undefined ? [] : [[name, parseTool(name, value)] as const];
  });
  const upscale = textOf(call, 'upscale');
  if (preset === 'auto' && (chosen.length > 0 || upscale !== undefined))
    throw new UsageError('--preset auto chooses the tools: leave out the others.');
  return {
    ...(preset !== undefined && PRESETS[preset as keyof typeof PRESETS]),
    ...Object.fromEntries(chosen),
    ...(upscale !== undefined && { upscale: parseFactor(upscale) }),
    ...size,
  };
}

function sizeOf(call: Call): Pick<Tools, 'outputSize'> {
  const value = textOf(call, 'output-size');
  const outputSize = OUTPUT_SIZES.find((size) => size === value);
  if (value !== undefined && !outputSize) throw new UsageError(`--output-size ${value}: ${OUTPUT_SIZES.join(' or ')}.`);
  return outputSize ? { outputSize } : {};
}

function parseTool(name: string, value: string): object | false {
  const [model = '', strength, ...rest] = value.split(':');
  if (model === 'none') return false;
  const share = Number(strength);
  if (model === '' || rest.length > 0 || strength === '' || (strength !== undefined && !(share >= 0 && share <= 1)))
    throw new UsageError(`--${name} ${value}: write a model, and if need be a strength from 0 to 1, as in v2:0.8.`);
  return { model, ...(strength !== undefined && { strength: share }) };
}

function parseFactor(value: string): NonNullable<Tools['upscale']> {
  if (value === 'auto') return value;
  const factor = Number(value);
  if (factor === 1 || factor === 2 || factor === 4) return factor;
  throw new UsageError(`--upscale ${value}: auto, 1, 2 or 4.`);
}

function parsePipeline(text: string): NonNullable<Tools['pipeline']> {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('--pipeline is no JSON.');
  }
}
