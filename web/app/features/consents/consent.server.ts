import { type ConsentKind, consentRoutes, type Settings, type User } from '@clearframe/contract';
import { type ActionFunctionArgs, type AppLoadContext, data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { z } from 'zod';
import { callApi } from '../../http/api.server';
import { readForm } from '../../http/form.server';
import { preserveVersionParam, returnAddressIn } from '../../http/internal-address';
import { asApiError } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { setFlash } from '../../session/flash.server';
import { fetchMe, loadMe, throwRefusal } from '../../session/me.server';
import { hasAnsweredSurvey } from '../../session/surveys.server';
import { asMember } from '../../session/visitor.server';
import { settingsOf } from '../settings/settings.server';
import type { FollowUp } from './ask-for-consent';
import { ASKED_CONSENTS, type AskedConsent } from './consent-address';

const NO_STORE = { 'cache-control': 'no-store' };

const acceptForm = z.object({ isGranted: z.literal('yes') });

const KINDS: Readonly<Record<AskedConsent, ConsentKind>> = { marketing: 'marketing', imageTraining: 'image-training' };

/** The question's page; leads back when there is nothing to ask. */
const loadQuestion =
  (consent: AskedConsent) =>
  async ({ request, context }: LoaderFunctionArgs) => {
    const headers = new Headers(NO_STORE);
    const { search } = new URL(request.url);
    const [user, settings] = await Promise.all([loadMe({ request, context, headers }), settingsOf(request, context)]);
    if (!isAskable(consent, user, settings))
      throw redirect(preserveVersionParam(returnAddressIn(search), search), { status: 303, headers });
    const t = await translatorFor(request, 'account');
    return data({ title: t(`${consent}.title`) }, { headers });
  };

export const loadMarketingConsent = loadQuestion('marketing');
export const loadImageTrainingConsent = loadQuestion('imageTraining');

export async function loadImageTrainingDeclined({ request }: LoaderFunctionArgs) {
  const t = await translatorFor(request, 'account');
  return { title: t('imageTraining.declined.title') };
}

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
    const headers = new Headers(NO_STORE);
    const { search } = new URL(request.url);
    await readForm(request, context, acceptForm);
    const back = returnAddressIn(search);
    try {
      await asMember(request, context, (token) =>
        changeConsent({ kind: KINDS[consent], isGranted: true, page: back }, { request, context, token }),
      );
    } catch (error) {
      if (error instanceof Response) throw error;
      request.signal.throwIfAborted();
      return throwRefusal(asApiError(error, context), { request, context, headers });
    }
    await setFlash('saved', headers, context);
    return redirect(preserveVersionParam(back, search), { status: 303, headers });
  };

export const acceptMarketing = acceptConsent('marketing');
export const acceptImageTraining = acceptConsent('imageTraining');

export async function loadConsentState({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const headers = new Headers(NO_STORE);
  const user = await fetchMe({ request, context, headers }).catch((error: unknown) => {
    request.signal.throwIfAborted();
    asApiError(error, context);
    return null;
  });
  const settings = await settingsOf(request, context);
  const followUp: FollowUp = {
    asksFor: ASKED_CONSENTS.filter((consent) => isAskable(consent, user, settings)),
    hasSurvey:
      user?.isGuest === false &&
      settings.popupSurveyKind === 'onboarding' &&
      !(await hasAnsweredSurvey(request, 'onboarding')),
    offersPluginKey: settings.psPlugin && user?.role === 'business',
  };
  return Response.json(followUp, { headers });
}

interface ConsentChange {
  readonly kind: ConsentKind;
  readonly isGranted: boolean;
  readonly page: string;
}

interface Caller {
  readonly request: Request;
  readonly context: AppLoadContext;
  readonly token: string;
}

export async function changeConsent({ kind, isGranted, page }: ConsentChange, caller: Caller): Promise<void> {
  const route = isGranted ? consentRoutes.grantConsent : consentRoutes.withdrawConsent;
  const requestUrl = new URL(page, caller.context.settings.publicUrl).href;
  await callApi(route, { params: { kind }, body: { requestUrl } }, caller);
}
