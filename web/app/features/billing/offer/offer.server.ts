import type { User } from '@clearframe/contract';
import { type AppLoadContext, data, type LoaderFunctionArgs } from '@remix-run/node';
import { asApiError, throwPageFor } from '../../../http/problem.server';
import { translatorFor } from '../../../i18n/i18n.server';
import { loadMe } from '../../../session/me.server';
import { DELIVERED } from '../../settings/delivered';
import type { OfferTopic } from '../../upload/decision/decide-upload';
import { uploaderOf, userOrNull } from '../../upload/server/uploader.server';
import type { Uploader } from '../../upload/shared/uploader';
import type { OffersView } from '../plans/offers';
import { offersFor } from '../plans/offers.server';

/** Offered only when delivered. */
const PARTS = { batch: 'batch', video: 'video', video_limit: 'video' } as const satisfies Record<
  OfferTopic,
  keyof typeof DELIVERED
>;

const isTopic = (text: string | undefined): text is OfferTopic => text !== undefined && Object.hasOwn(PARTS, text);

/** An offer as a page. */
export async function loadOffer({ request, params, context }: LoaderFunctionArgs) {
  const { topic } = params;
  if (!isTopic(topic) || !DELIVERED[PARTS[topic]]) return throwPageFor('request.not_found', context);
  const headers = new Headers({ 'cache-control': 'no-store' });
  const user = await loadMe(request, context, headers);
  const [offers, t] = await Promise.all([offersOrNull(request, context, user), translatorFor(request, 'tiers')]);
  return data({ topic, offers, isGuest: user?.isGuest ?? true, title: t(`offer.${topic}.title`) }, { headers });
}

/** What the script needs to decide on several files or a video. */
export interface UploaderData {
  readonly uploader: Uploader;
  /** Null for a plan with batches. */
  readonly offers: OffersView | null;
}

export async function loadUploader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const user = await userOrNull(request, context);
  const uploader = uploaderOf(user);
  const offers = uploader.limits.hasBatch ? null : await offersOrNull(request, context, user);
  const answer: UploaderData = { uploader, offers };
  return Response.json(answer, { headers: { 'cache-control': 'no-store' } });
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
