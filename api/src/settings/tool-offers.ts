import {
  type AiPipeline,
  BackgroundEnhance,
  BOKEH_PRESETS,
  ColorEnhance,
  FaceEnhance,
  FaceLifting,
  lockedTool,
  type Role,
  type Settings,
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
  },
  {
    tool: 'face_lifting',
    section: 'face',
    models: offers(FaceLifting.shape.model.options, (model) => ({ faceLifting: { model } })),
  },
  {
    tool: 'background_enhance',
    section: 'background',
    models: offers(BackgroundEnhance.shape.model.options, (model) => ({ backgroundEnhance: { model } })),
  },
  {
    tool: 'bokeh',
    section: 'background',
    models: offers(Object.keys(BOKEH_PRESETS) as (keyof typeof BOKEH_PRESETS)[], (model) => ({ bokeh: { model } })),
  },
  {
    tool: 'color_enhance',
    section: 'color',
    models: offers(ColorEnhance.shape.model.options, (model) => ({ colorEnhance: { model } })),
  },
];
