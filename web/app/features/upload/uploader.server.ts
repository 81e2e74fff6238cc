import {
  type Actor,
  IMAGE_LIMITS,
  MAX_FILES_PER_UPLOAD,
  may,
  megabytes,
  type User,
  userRoutes,
  VIDEO_LIMITS,
  videoLimitsOf,
} from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { asApiError, orNull } from '../../http/problem.server';
import { hasAnsweredSurvey } from '../../session/preferences.server';
import { tokenOf, visitorOf } from '../../session/visitor.server';
import { settingsOf } from '../settings/settings.server';
import type { Uploader, UploadLimits } from './decide-upload';

export const limitsOf = (actor: Actor, isVideoOn = true): UploadLimits => ({
  hasBatch: may(actor, 'batch'),
  files: MAX_FILES_PER_UPLOAD,
  photoSizeMb: IMAGE_LIMITS.maxBytes / megabytes(1),
  video: videoLimitsOf(actor.role),
  isVideoOn,
  largestVideo: VIDEO_LIMITS.business,
});

interface UploadSettings {
  readonly isVideoOn: boolean;
  /** The feature-ranking survey pops up and has not been answered in this browser. */
  readonly hasSurvey: boolean;
}

/** @param user null before a guest exists */
export function uploaderOf(
  user: (Pick<User, 'role' | 'isGuest'> & Partial<Pick<User, 'monetization'>>) | null,
  { isVideoOn, hasSurvey }: UploadSettings = { isVideoOn: true, hasSurvey: false },
): Uploader {
  const { role, isGuest } = user ?? { role: 'guest', isGuest: true };
  const { isSubscribed = false, subscriptionIncludesTrial = false } = user?.monetization ?? {};
  const limits = limitsOf({ role, isGuest }, isVideoOn);
  return { role, isGuest, limits, isSurveyed: hasSurvey && isSubscribed && !subscriptionIncludesTrial };
}

/** For the home page: costs guests no call. A guest with a gift code is recognized when files are chosen. */
export async function uploaderOfPage(request: Request, context: AppLoadContext): Promise<Uploader> {
  const settings = await uploadSettingsOf(request, context);
  if ((await visitorOf(request, context)).kind === 'guest') return uploaderOf(null, settings);
  const user = await userOrNull(request, context, context.settings.optionalDataTimeoutMs);
  return uploaderOf(user ?? { role: 'base', isGuest: false }, settings);
}

/** Whether workers can enhance videos; true when the backend doesn't answer. */
export const canEnhanceVideos = async (request: Request, context: AppLoadContext): Promise<boolean> =>
  (await uploadSettingsOf(request, context)).isVideoOn;

export async function uploadSettingsOf(request: Request, context: AppLoadContext): Promise<UploadSettings> {
  try {
    const { videos, popupSurveyKind } = await settingsOf(request, context);
    const hasSurvey = popupSurveyKind === 'feature_ranking' && !(await hasAnsweredSurvey(request, popupSurveyKind));
    return { isVideoOn: videos.available, hasSurvey };
  } catch (error) {
    asApiError(error, { request, context });
    return { isVideoOn: true, hasSurvey: false };
  }
}

/** Null before a guest exists, and when the backend doesn't answer. */
export async function userOrNull(request: Request, context: AppLoadContext, timeoutMs?: number): Promise<User | null> {
  const token = await tokenOf(request, context);
  if (!token) return null;
  return orNull(callApi(userRoutes.getCurrentUser, {}, { context, request, token, timeoutMs }), { request, context });
}
