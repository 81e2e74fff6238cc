import { MAX_FILES_PER_UPLOAD, PLAN_EXPORTS, type Settings, VIDEO_LIMITS } from '@clearframe/contract';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { orNull } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { settingsOf } from '../settings/settings.server';

export interface HelpData {
  /** What the answers may promise. */
  readonly has: Readonly<Record<'trial' | 'pluginKey', boolean>>;
  /** Values of the answers' placeholders. */
  readonly values: Readonly<Record<string, number>>;
}

const VALUES = {
  megabytes: VIDEO_LIMITS.personal.maxSizeMb,
  seconds: VIDEO_LIMITS.personal.maxLength,
  moreMegabytes: VIDEO_LIMITS.business.maxSizeMb,
  moreSeconds: VIDEO_LIMITS.business.maxLength,
  files: MAX_FILES_PER_UPLOAD,
  /** A trial has a week's downloads. */
  personal: PLAN_EXPORTS.personal.weekly ?? 0,
};

export async function loadHelp({ request, context }: LoaderFunctionArgs) {
  // Readable without the backend.
  const settings = await orNull(settingsOf(request, context), { request, context });
  const t = await translatorFor(request, 'support');
  const help: HelpData = { has: partsIn(settings), values: VALUES };
  return { help, title: t('help.title'), description: t('help.description') };
}

const partsIn = (settings: Settings | null): HelpData['has'] => ({
  trial: settings?.isFreeTrialEnabled ?? false,
  pluginKey: settings?.psPlugin ?? false,
});
