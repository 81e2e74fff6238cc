import { dateFormat, type User } from '@clearframe/contract';
import { type AppLoadContext, data, type LoaderFunctionArgs } from '@remix-run/node';
import { asApiError, throwPageFor } from '../../http/problem.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { loadMe } from '../../session/me.server';
import { DELIVERED, type DeliveredPart } from '../settings/delivered';
import { userOrNull } from '../upload/uploader.server';
import type { CallToAction, OfferData } from './offer-address';
import type { OffersView } from './offers';
import { offersFor } from './offers.server';

const PARTS = {
  batch: 'batch',
  video: 'video',
  video_limit: 'video',
  video_week: 'video',
  formats: null,
  downloads: null,
  premium_models: 'tools',
  business_models: 'tools',
} as const satisfies Record<CallToAction, DeliveredPart | null>;

const isTopic = (text: string | undefined): text is CallToAction => text !== undefined && Object.hasOwn(PARTS, text);

const isDelivered = (topic: CallToAction): boolean => {
  const part = PARTS[topic];
  return part === null || DELIVERED[part];
};

export async function loadOffer({ request, params, context }: LoaderFunctionArgs) {
  const { topic } = params;
  if (!isTopic(topic) || !isDelivered(topic)) return throwPageFor('request.not_found', context);
  const headers = new Headers({ 'cache-control': 'no-store' });
  const user = await loadMe({ request, context, headers });
  const [offer, t] = await Promise.all([offerDataOf(user, request, context), translatorFor(request, 'tiers')]);
  const taskId = new URL(request.url).searchParams.get('taskId');
  return data({ topic, taskId, offer, title: t(`offer.${topic}.title`) }, { headers });
}

export async function loadOfferData({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const user = await userOrNull(request, context);
  return Response.json(await offerDataOf(user, request, context), { headers: { 'cache-control': 'no-store' } });
}

async function offerDataOf(user: User | null, request: Request, context: AppLoadContext): Promise<OfferData> {
  const [offers, language] = await Promise.all([offersOrNull(request, context, user), languageOf(request)]);
  const resetsAt = user?.nextRenewImageDownloadLimitsDatetime;
  const format = dateFormat(language);
  return { isGuest: user?.isGuest ?? true, offers, resetsAt: resetsAt ? format(new Date(resetsAt)) : null };
}

async function offersOrNull(request: Request, context: AppLoadContext, user: User | null): Promise<OffersView | null> {
  try {
    return await offersFor(request, context, user);
  } catch (error) {
    request.signal.throwIfAborted();
    asApiError(error, context);
    return null;
  }
}
