import {
  type AiPipeline,
  BackgroundEnhance,
  BOKEH_PRESETS,
  ColorEnhance,
  FaceEnhance,
  FaceLifting,
  Fade,
  IMAGE_LIMITS,
  lockedTool,
  OUTPUT_MAX_SIDE,
  OUTPUT_MAX_SIDE_UNCAPPED,
  Repair,
  type Role,
  type Settings,
  STRENGTH_RANGE,
  UPSCALE_FACTORS,
} from '@clearframe/contract';

type ToolOffer = Settings['aiPipelineConfig'][number];
type RequiredPlan = ToolOffer['models'][number]['requiredPlan'];

/** Cheapest first. */
const PLANS: readonly (RequiredPlan & Role)[] = ['base', 'personal', 'business'];

function requiredPlanOf(pipeline: AiPipeline): RequiredPlan {
  const plan = PLANS.find((role) => lockedTool(role, pipeline) === null);
  if (!plan) throw new Error(`no plan includes ${JSON.stringify(pipeline)}`);
  return plan;
}

const offers = <Model extends string>(models: readonly Model[], asked: (model: Model) => AiPipeline) =>
  models.map((model) => ({ model, requiredPlan: requiredPlanOf(asked(model)) }));

export const TOOL_OFFERS: readonly ToolOffer[] = [
  {
    tool: 'face_enhance',
    section: 'face',
    models: offers(FaceEnhance.shape.model.options, (model) => ({ faceEnhance: { model } })),
    strength: STRENGTH_RANGE,
  },
  {
    tool: 'face_lifting',
    section: 'face',
    models: offers(FaceLifting.shape.model.options, (model) => ({ faceLifting: { model } })),
    strength: STRENGTH_RANGE,
  },
  {
    tool: 'background_enhance',
    section: 'background',
    models: offers(BackgroundEnhance.shape.model.options, (model) => ({ backgroundEnhance: { model } })),
    strength: STRENGTH_RANGE,
  },
  {
    tool: 'repair',
    section: 'background',
    models: offers(Repair.shape.model.options, (model) => ({ repair: { model } })),
    strength: STRENGTH_RANGE,
  },
  {
    tool: 'bokeh',
    section: 'background',
    models: offers(Object.keys(BOKEH_PRESETS) as (keyof typeof BOKEH_PRESETS)[], (model) => ({ bokeh: { model } })),
    strength: STRENGTH_RANGE,
  },
  {
    tool: 'fade',
    section: 'color',
    models: offers(Fade.shape.model.options, (model) => ({ fade: { model } })),
    strength: STRENGTH_RANGE,
  },
  {
    tool: 'color_enhance',
    section: 'color',
    models: offers(ColorEnhance.shape.model.options, (model) => ({ colorEnhance: { model } })),
    strength: STRENGTH_RANGE,
  },
];

/** @param isUncapped whether the flag `removeCap` is on */
export const upscaleOffer = (isUncapped: boolean): Settings['upscaleConfig'] => ({
  factors: [...UPSCALE_FACTORS],
  maxSide: isUncapped ? OUTPUT_MAX_SIDE_UNCAPPED : OUTPUT_MAX_SIDE,
  maxPixels: IMAGE_LIMITS.maxPixels,
});
