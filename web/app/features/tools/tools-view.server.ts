import {
  type AiPipeline,
  type ErrorCode,
  formatPrice,
  isErrorCode,
  LAYERED_TIFF,
  lockedTool,
  OUTPUT_MAX_SIDE,
  OUTPUT_MAX_SIDE_UNCAPPED,
  planPriceOf,
  RECIPE_VERSION,
  type Role,
  type Settings,
  snakeCase,
  type Task,
  type TaskOutput,
  type User,
} from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { browserAddress } from '../../http/api-addresses.server';
import { tutorialCookie } from '../../session/preferences.server';
import { settingsOf } from '../settings/settings.server';
import { type EncodedOutput, isEncoded } from '../tasks/task.server';
import { choicesOf, isSameChoice, TOOLS, type Tool, withTool } from './choices';
import { toolsForm } from './tools-form';
import {
  type FaceView,
  isSwitch,
  type MediaDetails,
  type ModelView,
  type ResultView,
  SECTIONS,
  type ToolsResponse,
  type ToolsView,
  type ToolView,
} from './tools-view';

export async function toolsViewOf(
  task: Task,
  shown: TaskOutput,
  user: User | null,
  request: Request,
  context: AppLoadContext,
): Promise<ToolsView> {
  const settings = await settingsOf(request, context);
  const role = user?.role ?? 'guest';
  const outputs = task.result.outputs.filter(isEncoded);
  const saved = savedPipeline(user, role, settings.removeCap);
  const maxSide = settings.removeCap ? OUTPUT_MAX_SIDE_UNCAPPED : OUTPUT_MAX_SIDE;
  return {
    bulkUploadId: task.bulkUploadId,
    sections: sectionsOf(settings, role),
    results: outputs.map((output) => resultOf(output, context)),
    shownId: shown.id,
    comparedId: comparedOutputOf(task, shown, request)?.id ?? null,
    ownId: outputs.find(({ isPreview }) => !isPreview)?.id ?? null,
    keepLocation: shown.keepLocation,
    faces: facesOf(shown),
    details: detailsOf(task, shown, maxSide),
    maxSide,
    originalSizePlan: lockedTool(role, { outputSize: 'original' }, settings.removeCap) ? 'business' : null,
    savedChoices: choicesOf(saved ?? settings.remoteAiPipelineConfig),
    canSaveDefault: settings.shouldEnableSavingAiModelDefault && user !== null,
    isSepia: shown.recipe.isSepia ?? false,
    offer: offerFor(task, shown, saved, { role, isUncapped: settings.removeCap }),
    showsNewModels: settings.shouldShowNewModelsTutorial && !(await tutorialCookie.read(request)),
    prices: pricesOf(settings),
  };
}

/** The result of the address's `compareId`. */
function comparedOutputOf({ result }: Task, shown: TaskOutput, request: Request): EncodedOutput | null {
  const compareId = new URL(request.url).searchParams.get('compareId');
  return result.outputs.filter(isEncoded).find(({ id }) => id === compareId && id !== shown.id) ?? null;
}

const RANKS: Readonly<Record<Role, number>> = { guest: 0, base: 0, credits: 0, personal: 1, business: 2 };

const sectionsOf = ({ aiPipelineConfig }: Settings, role: Role): ToolsView['sections'] =>
  SECTIONS.map((section) => ({
    section,
    tools: aiPipelineConfig.filter((offer) => offer.section === section).flatMap((offer) => toolOf(offer, role) ?? []),
  })).filter(({ tools }) => tools.length > 0);

/** A video's faces and background are enhanced in one way, whatever the model. */
const VIDEO_MODELS: Partial<Record<Tool, (model: string) => boolean>> = {
  faceEnhance: (model) => model === 'base',
  backgroundEnhance: (model) => model === 'base',
  colorEnhance: () => true,
};

export async function videoToolsOf(
  user: Pick<User, 'role'> | null,
  request: Request,
  context: AppLoadContext,
): Promise<readonly ToolView[]> {
  const sections = sectionsOf(await settingsOf(request, context), user?.role ?? 'guest');
  return sections.flatMap(({ tools }) =>
    tools.flatMap((each) => {
      const isOffered = VIDEO_MODELS[each.tool];
      return isOffered ? [{ ...each, models: each.models.filter(({ model }) => isOffered(model)) }] : [];
    }),
  );
}

/** Null for a tool that this version has no form for. */
function toolOf({ tool: name, models }: Settings['aiPipelineConfig'][number], role: Role): ToolView | null {
  const tool = TOOLS.find((one) => snakeCase(one) === name);
  if (!tool) return null;
  const known = models.filter(({ model }) => toolsForm.shape[tool].safeParse(model).success);
  const offered = known.map(
    ({ model, requiredPlan }): ModelView => ({
      model,
      requiredPlan: requiredPlan === 'base' || RANKS[role] >= RANKS[requiredPlan] ? null : requiredPlan,
    }),
  );
  return isSwitch(tool) ? { control: 'switch', tool, models: offered } : { control: 'filters', tool, models: offered };
}

function resultOf(output: EncodedOutput, { settings }: AppLoadContext): ResultView {
  const { id, number, isPreview, keepLocation, display, recipe } = output;
  return {
    id,
    number,
    choices: choicesOf(output.aiPipeline),
    isPreview,
    keepLocation,
    isCurrent: recipe.version === RECIPE_VERSION,
    thumbnailUrl: display && browserAddress(display.thumbnailUrl, settings),
    url: browserAddress(display?.url ?? output.url, settings),
    mediumUrl: display?.mediumUrl ? browserAddress(display.mediumUrl, settings) : null,
    width: display?.width ?? output.width,
    height: display?.height ?? output.height,
    changesUrl: output.changes ? browserAddress(output.changes.url, settings) : null,
  };
}

const facesOf = ({ faces }: TaskOutput): FaceView[] =>
  faces.map(({ box, restored, heldBack, keptOriginal }) => ({
    box,
    outcome: keptOriginal ? 'kept' : heldBack ? 'heldBack' : restored ? 'restored' : 'leftAlone',
  }));

function detailsOf(
  { taskId, inputUrl, input }: Task,
  { contentType, width, height, recipe }: TaskOutput,
  maxSide: number,
): MediaDetails {
  const originalSide = Math.max(input.width ?? 0, input.height ?? 0);
  return {
    fileName: input.fileName,
    originalType: typeName(input.contentType),
    originalSize: input.width && input.height ? { width: input.width, height: input.height } : null,
    originalBytes: input.sizeBytes,
    originalHash: input.sha256,
    originalAddress: inputUrl && `/tasks/${taskId}/file?of=original`,
    resultType: typeName(contentType),
    resultSize: { width, height },
    isScaledDown: originalSide > maxSide && originalSide > Math.max(width, height),
    networks: recipe.models.map(({ id, version }) => `${id} ${version}`),
  };
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  'image/vnd.adobe.photoshop': 'PSD',
  [LAYERED_TIFF]: 'Photoshop TIFF',
};

const typeName = (contentType: string): string =>
  TYPE_NAMES[contentType] ?? contentType.replace('image/', '').toUpperCase();

/** Null without one that the plan includes. */
function savedPipeline(user: User | null, role: Role, isUncapped: boolean): AiPipeline | null {
  const saved = user?.preferences.defaultAiPipeline ?? null;
  return saved && lockedTool(role, saved, isUncapped) === null ? saved : null;
}

/** For the first result only: later ones are the visitor's choice. */
function offerFor(
  task: Task,
  shown: TaskOutput,
  saved: AiPipeline | null,
  { role, isUncapped }: { readonly role: Role; readonly isUncapped: boolean },
): ToolsView['offer'] {
  const choices = choicesOf(shown.aiPipeline);
  if (shown.isPreview || task.result.outputs.length > 1 || lockedTool(role, shown.aiPipeline, isUncapped) !== null)
    return null;
  const savedChoices = saved && choicesOf(saved);
  if (savedChoices && !isSameChoice(savedChoices, choices)) return { kind: 'saved', choices: savedChoices };
  if (shown.recipe.isFaded && !shown.aiPipeline.fade)
    return { kind: 'faded', choices: withTool(choices, 'fade', { model: 'base' }) };
  return shown.recipe.version < RECIPE_VERSION ? { kind: 'newer', choices } : null;
}

function pricesOf({ currency, personalPlanEnabled, businessPlanEnabled, ...settings }: Settings) {
  const { isPurchaseBlocked, businessCustomPriceEnabled } = settings;
  const priceOf = (plan: 'personal' | 'business', isSold: boolean): string | null =>
    isSold && !isPurchaseBlocked ? formatPrice(planPriceOf(plan, 'weekly', currency).amountCents, currency) : null;
  return {
    personal: priceOf('personal', personalPlanEnabled),
    business: priceOf('business', businessPlanEnabled && !businessCustomPriceEnabled),
  };
}

/**
 * What the redirects of `apply.route.ts` tell the page.
 * @param lastProblem of the run whose result the address asks for
 */
export function toolsResponseIn(request: Request, lastProblem: ErrorCode | null): ToolsResponse {
  const { searchParams } = new URL(request.url);
  const code = searchParams.get('toolsProblem');
  return {
    problem: code !== null && isErrorCode(code) ? code : searchParams.get('outputId') === 'latest' ? lastProblem : null,
    isSaved: searchParams.has('saved'),
  };
}
