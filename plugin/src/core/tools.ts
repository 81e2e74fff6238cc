import type { Pipeline } from '@clearframe/client/schemas.ts';

/** A tool as `POST /settings` offers it. */
export interface Offer {
  readonly tool: ToolName;
  readonly section: 'face' | 'background' | 'color';
  readonly models: readonly { readonly model: string; readonly required_plan: Plan }[];
  /** Of the share of its effect. */
  readonly strength: { readonly min: number; readonly max: number; readonly default: number };
}

/** How far `POST /settings` offers to enlarge. */
export interface UpscaleOffer {
  /** Pixels of the result per pixel of the original, on each side. */
  readonly factors: readonly number[];
  /** Most pixels a side of a result in standard size. */
  readonly max_side: number;
}
export type ToolName = Exclude<keyof Pipeline, 'auto' | 'output_size' | 'upscale'>;
export type Plan = 'base' | 'personal' | 'business';

export interface Choice {
  readonly model: string;
  /** Within the range of its offer. */
  readonly strength: number;
  readonly isOn: boolean;
}

/** The model and the share of each tool that is on. A tool that is off keeps its last model. */
export interface Choices {
  readonly tools: Readonly<Partial<Record<ToolName, Choice>>>;
  readonly upscale: number;
  /** Strength by the place of a face in the newest result. */
  readonly faces: Readonly<Record<number, number>>;
}

export const DEFAULT_CHOICES: Choices = {
  tools: {
    face_enhance: { model: 'base', strength: 1, isOn: true },
    background_enhance: { model: 'base', strength: 1, isOn: true },
  },
  upscale: 1,
  faces: {},
};

const RANKS: readonly Plan[] = ['base', 'personal', 'business'];

/** The plan that a model needs and the key's owner hasn't; null where it may be used. Test keys may use every tool. */
export function lockOf(required: Plan, { plan, isTest }: { plan: Plan; isTest: boolean }): Plan | null {
  return isTest || RANKS.indexOf(plan) >= RANKS.indexOf(required) ? null : required;
}

/**
 * What is asked for. A layer keeps its size, also where the API would enlarge a small one by itself, and a large one needs the
 * original's size.
 * @param side the longest, in pixels
 */
export function pipelineOf(
  { tools, upscale, faces }: Choices,
  side: number,
  { max_side: maxSide }: UpscaleOffer,
): Pipeline {
  const chosen = Object.entries(tools)
    .filter(([, { isOn }]) => isOn)
    .map(([tool, { model, strength }]) => [tool, { model, ...(strength < 1 && { strength }) }] as const);
  const pipeline: Record<string, unknown> = Object.fromEntries(chosen);
  const own = Object.entries(faces).map(([index, strength]) => ({ index: Number(index), strength }));
  const { face_enhance: face } = pipeline;
  if (own.length > 0 && typeof face === 'object') pipeline.face_enhance = { ...face, faces: own };
  pipeline.upscale = { factor: upscale };
  if (side * upscale > maxSide) pipeline.output_size = 'original';
  return pipeline as Pipeline;
}

/** Faces are told apart by their places in one picture. */
export const withoutFaces = (choices: Choices): Choices => ({ ...choices, faces: {} });

export const hasTool = ({ tools, upscale }: Choices): boolean =>
  upscale > 1 || Object.values(tools).some(({ isOn }) => isOn);

/** Tools that change colors alone. */
const COLOR: readonly string[] = ['fade', 'color_enhance'];

/**
 * Whether the API answers 16 bits with 16: in results larger than standard ones, and where only color is asked for.
 * @param side the longest, in pixels
 */
export const keepsDepth = ({ tools, upscale }: Choices, side: number, { max_side: maxSide }: UpscaleOffer): boolean =>
  upscale === 1 && (side > maxSide || Object.entries(tools).every(([tool, { isOn }]) => !isOn || COLOR.includes(tool)));

/** Tools that see no more than a face or its neighbourhood: parts of a picture come out as the whole would. */
const LOCAL: readonly string[] = ['face_enhance', 'background_enhance'];

export const isLocal = ({ tools, upscale }: Choices): boolean =>
  upscale === 1 && Object.entries(tools).every(([tool, { isOn }]) => !isOn || LOCAL.includes(tool));
