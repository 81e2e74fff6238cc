import { type ConsentKind, consentRoutes, type Settings, type User } from '@clearframe/contract';
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { seeOther } from '../../http/answer.server';
import { callApi } from '../../http/api.server';
import { readForm } from '../../http/form.server';
import { returnAddressIn } from '../../http/internal-address';
import { orNull } from '../../http/problem.server';
import { titleLoader, translatorFor } from '../../i18n/i18n.server';
import { setFlash } from '../../session/flash.server';
import { fetchMe } from '../../session/me.server';
import { hasAnsweredSurvey } from '../../session/preferences.server';
import { asMember, type VisitorCaller } from '../../session/visitor.server';
import { settingsOf } from '../settings/settings.server';
import type { FollowUp } from './ask-for-consent';
import { ASKED_CONSENTS, type AskedConsent } from './consent-address';

const acceptForm = z.object({ isGranted: z.literal('yes') });

const KINDS: Readonly<Record<AskedConsent, ConsentKind>> = { marketing: 'marketing', imageTraining: 'image-training' };

/** The question's page; leads back when there is nothing to ask. */
const loadQuestion =
  (consent: AskedConsent) =>
  async ({ request, context }: LoaderFunctionArgs) => {
    const { search } = new URL(request.url);
    const [user, settings] = await Promise.all([fetchMe({ request, context }), settingsOf(request, context)]);
    if (!isAskable(consent, user, settings)) throw seeOther(returnAddressIn(search), request);
    const t = await translatorFor(request, 'account');
    return { title: t(`${consent}.title`) };
  };

export const loadMarketingConsent = loadQuestion('marketing');
export const loadImageTrainingConsent = loadQuestion('imageTraining');

export const loadImageTrainingDeclined = titleLoader('account', (t) => t('imageTraining.declined.title'));

/** Members only: they can withdraw a consent in their privacy settings. */
function isAskable(consent: AskedConsent, user: User | null, settings: Settings): boolean {
  if (!user || user.isGuest) return false;
  return consent === 'marketing'
    ? !user.marketingConsent
    : settings.imageTrainingConsentEnabled && !user.imageTrainingConsent;
}

const acceptConsent =
  (consent: AskedConsent) =>
  async ({ request, context }: ActionFunctionArgs) => {
    const { search } = new URL(request.url);
    await readForm(request, context, acceptForm);
    const back = returnAddressIn(search);
    await asMember(request, context, (token) =>
      changeConsent({ kind: KINDS[consent], isGranted: true, page: back }, { request, context, token }),
    );
    await setFlash('saved', context);
    return seeOther(back, request);
  };

export const acceptMarketing = acceptConsent('marketing');
export const acceptImageTraining = acceptConsent('imageTraining');

export async function loadConsentState({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const user = await orNull(fetchMe({ request, context }), { request, context });
  const settings = await settingsOf(request, context);
  const followUp: FollowUp = {
    asksFor: ASKED_CONSENTS.filter((consent) => isAskable(consent, user, settings)),
    hasSurvey:
      user?.isGuest === false &&
      settings.popupSurveyKind === 'onboarding' &&
      !(await hasAnsweredSurvey(request, 'onboarding')),
    offersPluginKey: settings.psPlugin && user?.role === 'business',
  };
  return Response.json(followUp);
}

interface ConsentChange {
  readonly kind: ConsentKind;
  readonly isGranted: boolean;
  readonly page: string;
}

export async function changeConsent({ kind, isGranted, page }: ConsentChange, caller: VisitorCaller): Promise<void> {
  const route = isGranted ? consentRoutes.grantConsent : consentRoutes.withdrawConsent;
  const requestUrl = new URL(page, caller.context.settings.publicUrl).href;
  await callApi(route, { params: { kind }, body: { requestUrl } }, caller);
}
