import { dateFormat, type User } from '@clearframe/contract';
import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { orNull, throwPageFor } from '../../http/problem.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { fetchMe } from '../../session/me.server';
import { userOrNull } from '../upload/uploader.server';
import { CALLS_TO_ACTION, type OfferData } from './offer-address';
import { offersFor } from './offers.server';

export async function loadOffer({ request, params, context }: LoaderFunctionArgs) {
  const topic = CALLS_TO_ACTION.find((known) => known === params.topic);
  if (!topic) return throwPageFor('request.not_found', context);
  const user = await fetchMe({ request, context });
  const [offer, t] = await Promise.all([offerDataOf(user, request, context), translatorFor(request, 'tiers')]);
  const taskId = new URL(request.url).searchParams.get('taskId');
  return { topic, taskId, offer, title: t(`offer.${topic}.title`) };
}

export async function loadOfferData({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const user = await userOrNull(request, context);
  return Response.json(await offerDataOf(user, request, context));
}

async function offerDataOf(user: User | null, request: Request, context: AppLoadContext): Promise<OfferData> {
  const [offers, language] = await Promise.all([
    orNull(offersFor(request, context, user), { request, context }),
    languageOf(request),
  ]);
  const resetsAt = user?.nextRenewImageDownloadLimitsDatetime;
  const format = dateFormat(language);
  return { isGuest: user?.isGuest ?? true, offers, resetsAt: resetsAt ? format(new Date(resetsAt)) : null };
}
