import {
  type AiPipeline,
  BackgroundEnhance,
  BOKEH_PRESETS,
  ColorEnhance,
  FaceEnhance,
  FaceLifting,
  Fade,
  Repair,
} from '@clearframe/contract';
import { z } from 'zod';
import { CUSTOM_BOKEH, FULL_STRENGTH, OUTPUT_SIZES, type Tool, UPSCALE_FACTORS } from './choices';

const checkbox = z.string().optional();
const percent = z.int().min(0).max(FULL_STRENGTH).default(FULL_STRENGTH);
const ratio = z.number().min(0).max(1).optional();

/** Sent by the form's buttons. */
const INTENTS = ['apply', 'saveDefault', 'cancel', 'dismissTutorial'] as const;

/** All tools of a picture. An absent or empty model switches a tool off. */
export const toolsForm = z.object({
  intent: z.enum(INTENTS).default('apply'),
  taskId: z.guid(),
  bulkUploadId: z.guid(),
  /** The result from which the visitor started. */
  outputId: z.guid().optional(),
  repairOn: checkbox,
  repair: Repair.shape.model.optional(),
  repairStrength: percent,
  faceEnhanceOn: checkbox,
  faceEnhance: FaceEnhance.shape.model.optional(),
  faceEnhanceStrength: percent,
  faceLifting: FaceLifting.shape.model.optional(),
  faceLiftingStrength: percent,
  backgroundEnhanceOn: checkbox,
  backgroundEnhance: BackgroundEnhance.shape.model.optional(),
  backgroundEnhanceStrength: percent,
  bokeh: z.enum([...(Object.keys(BOKEH_PRESETS) as (keyof typeof BOKEH_PRESETS)[]), CUSTOM_BOKEH]).optional(),
  bokehStrength: percent,
  aperture: ratio,
  highlights: ratio,
  vivid: ratio,
  fadeOn: checkbox,
  fade: Fade.shape.model.optional(),
  fadeStrength: percent,
  fadeNeutral: checkbox,
  colorEnhance: ColorEnhance.shape.model.optional(),
  colorEnhanceStrength: percent,
  upscale: z.enum(UPSCALE_FACTORS).default('auto'),
  outputSize: z.enum(OUTPUT_SIZES).optional(),
  keepLocation: checkbox,
  /** Set by the page's script, which gets JSON instead of a redirect. */
  /** Cancels a run that is in progress and starts over. */
  replaces: z.string().optional(),
});
export type ToolsForm = z.output<typeof toolsForm>;

export function pipelineOf(form: ToolsForm): AiPipeline {
  const { faceLifting, colorEnhance, outputSize } = form;
  const repair = form.repairOn === undefined ? undefined : form.repair;
  const faceEnhance = form.faceEnhanceOn === undefined ? undefined : form.faceEnhance;
  const backgroundEnhance = form.backgroundEnhanceOn === undefined ? undefined : form.backgroundEnhance;
  const bokeh = bokehOf(form);
  const fade = form.fadeOn === undefined && form.fadeNeutral === undefined ? undefined : form.fade;
  return {
    ...(repair && { repair: { model: repair, ...strengthOf(form, 'repair') } }),
    ...(faceEnhance && { faceEnhance: { model: faceEnhance, ...strengthOf(form, 'faceEnhance') } }),
    ...(faceLifting && { faceLifting: { model: faceLifting, ...strengthOf(form, 'faceLifting') } }),
    ...(backgroundEnhance && {
      backgroundEnhance: { model: backgroundEnhance, ...strengthOf(form, 'backgroundEnhance') },
    }),
    ...(bokeh && { bokeh: { ...bokeh, ...strengthOf(form, 'bokeh') } }),
    ...(fade && {
      fade: { model: fade, ...(form.fadeNeutral && { neutral: true }), ...strengthOf(form, 'fade') },
    }),
    ...(colorEnhance && { colorEnhance: { model: colorEnhance, ...strengthOf(form, 'colorEnhance') } }),
    ...upscaleOf(form),
    ...(outputSize && { outputSize }),
  };
}

const strengthOf = (form: ToolsForm, tool: Tool) => {
  const strength = form[`${tool}Strength`];
  return strength === FULL_STRENGTH ? {} : { strength: strength / FULL_STRENGTH };
};

function bokehOf({ bokeh, aperture, highlights, vivid }: ToolsForm) {
  if (bokeh !== CUSTOM_BOKEH) return bokeh && { model: bokeh };
  if (aperture === undefined || highlights === undefined || vivid === undefined) return undefined;
  return { aperture, highlights, vivid };
}

/** `auto` is what an absent factor means. */
const upscaleOf = ({ upscale }: ToolsForm): Pick<AiPipeline, 'upscale'> => {
  if (upscale === 'auto') return {};
  return { upscale: { factor: upscale === '1' ? 1 : upscale === '2' ? 2 : 4 } };
};
