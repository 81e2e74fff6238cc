import type { ErrorCode } from '@clearframe/contract';
import { type Choices, CUSTOM_BOKEH, type Tool } from './choices';

type PaidPlan = 'personal' | 'business';

export interface ModelView {
  readonly model: string;
  /** The plan that includes the model; null when the visitor's plan does. */
  readonly requiredPlan: PaidPlan | null;
}

const SWITCHES = ['repair', 'faceEnhance', 'backgroundEnhance', 'fade'] as const satisfies readonly Tool[];
type Switch = (typeof SWITCHES)[number];

export const isSwitch = (tool: Tool): tool is Switch => SWITCHES.some((one) => one === tool);

/** A tool in the order of the settings (spec 2, section 2: a toggle, a dropdown or a filter list). */
export type ToolView = SwitchView | FilterView;

interface OfferedModels {
  readonly models: readonly ModelView[];
}

/** A switch with a dropdown of models. */
export interface SwitchView extends OfferedModels {
  readonly control: 'switch';
  readonly tool: Switch;
}

/** Pictures of each model. */
export interface FilterView extends OfferedModels {
  readonly control: 'filters';
  readonly tool: Exclude<Tool, Switch>;
}

export const SECTIONS = ['face', 'background', 'color'] as const;
type Section = (typeof SECTIONS)[number];

export interface FaceView {
  /** In pixels of the result. */
  readonly box: FaceBox;
  readonly outcome: 'restored' | 'leftAlone' | 'heldBack' | 'kept';
}

interface FaceBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface ResultView {
  readonly id: string;
  /** 1 is the first. */
  readonly number: number;
  readonly choices: Choices;
  /** Small, watermarked and not downloadable. */
  readonly isPreview: boolean;
  /** Its files keep the location (GPS). */
  readonly keepLocation: boolean;
  /** Made with today's models: the same choices would give the same picture. */
  readonly isCurrent: boolean;
  readonly thumbnailUrl: string | null;
  readonly url: string;
  /** See `DisplayImage`. */
  readonly mediumUrl: string | null;
  readonly width: number;
  readonly height: number;
  /** What the networks altered, as a picture to lay over the result. */
  readonly changesUrl: string | null;
}

export interface MediaDetails {
  readonly fileName: string | null;
  readonly originalType: string;
  /** In pixels; null for results of older versions. */
  readonly originalSize: { readonly width: number; readonly height: number } | null;
  readonly originalBytes: number | null;
  /** SHA-256 of the file in hex; null for uploads of older versions. */
  readonly originalHash: string | null;
  /** Downloads the untouched file; null when it has been deleted. */
  readonly originalAddress: string | null;
  readonly resultType: string;
  readonly resultSize: { readonly width: number; readonly height: number };
  /** The original is larger than results may be. */
  readonly isScaledDown: boolean;
  /** Networks that ran, with their versions. */
  readonly networks: readonly string[];
}

export interface ToolsView {
  readonly bulkUploadId: string;
  readonly sections: readonly { readonly section: Section; readonly tools: readonly ToolView[] }[];
  readonly results: readonly ResultView[];
  readonly shownId: string;
  /** The result that the displayed one is compared with; null: the original. */
  readonly comparedId: string | null;
  /** The newest result that isn't a preview, to which downloads refer. Null when there are previews only. */
  readonly ownId: string | null;
  readonly keepLocation: boolean;
  readonly faces: readonly FaceView[];
  readonly details: MediaDetails;
  /** Longest side in pixels that a result may have. */
  readonly maxSide: number;
  /** The plan that includes results as large as the original; null when the visitor may have them. */
  readonly originalSizePlan: PaidPlan | null;
  readonly savedChoices: Choices;
  readonly canSaveDefault: boolean;
  /** The original looks like a sepia print. */
  readonly isSepia: boolean;
  /** Tools to apply instead: the saved ones, the same with newer models, or for a faded print; null if none are offered. */
  readonly offer: { readonly kind: 'saved' | 'newer' | 'faded'; readonly choices: Choices } | null;
  readonly showsNewModels: boolean;
  /** Weekly prices; null for a plan that isn't sold. */
  readonly prices: Readonly<Record<PaidPlan, string | null>>;
}

export interface ToolsResponse {
  readonly problem: ErrorCode | null;
  readonly isSaved: boolean;
}

/** The plan that includes all chosen models; null when the visitor's plan does. */
export function requiredPlanOf(
  { tools, outputSize }: Choices,
  { sections, originalSizePlan }: Pick<ToolsView, 'sections' | 'originalSizePlan'>,
): ModelView['requiredPlan'] {
  if (outputSize === 'original' && originalSizePlan) return originalSizePlan;
  const plans = sections.flatMap(({ tools: own }) =>
    own.flatMap(({ tool, models }) => {
      const { model } = tools[tool];
      // Custom values need every model of the tool.
      return models.filter((one) => one.model === model || model === CUSTOM_BOKEH).map((one) => one.requiredPlan);
    }),
  );
  return plans.includes('business') ? 'business' : plans.includes('personal') ? 'personal' : null;
}
