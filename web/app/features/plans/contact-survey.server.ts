import { SUPPORT_LIMITS, supportRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node';
import { readFields } from '../../http/form.server';
import { asApiError, problemViewOf } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { sendTicket } from '../../session/support-ticket.server';
import { visitorOf } from '../../session/visitor.server';
import { captchaTokenOf } from '../captcha/captcha.server';
import { parseSurvey, type SurveyVolume } from './contact-survey-form';

export async function loadSurvey({ request, context }: LoaderFunctionArgs) {
  const [t, visitor] = await Promise.all([translatorFor(request, 'tiers'), visitorOf(request, context)]);
  return {
    title: t('contact.title'),
    email: visitor.kind === 'member' ? visitor.email : null,
    captchaAction: supportRoutes.createSupportTicket.path,
  };
}

/** Read by agents, so it's English. */
const VOLUMES = {
  hundreds: 'up to 1,000',
  thousands: '1,000 to 10,000',
  more: 'more than 10,000',
} as const satisfies Record<SurveyVolume, string>;

/** Sends the answers to customer support. @returns the address that will be answered, or why it failed */
export async function sendSurvey({ request, context }: ActionFunctionArgs) {
  const submission = parseSurvey(await readFields(request, context));
  if (submission.status !== 'success')
    return data({ sentTo: null, problem: null, result: submission.reply() }, { status: 422 });
  const { name, email, volume, company, purpose } = submission.value;
  const answers = [`Photos a month: ${VOLUMES[volume]}`, `Company: ${company || '–'}`, `Purpose: ${purpose || '–'}`];
  const message = {
    ...{ name, email, source: 'custom price', eventId: '' },
    subject: `Custom price${company && `: ${company}`}`.slice(0, SUPPORT_LIMITS.subject),
    body: answers.join('\n'),
  };
  try {
    await sendTicket(message, { request, context, captchaToken: captchaTokenOf(submission.value, request) });
    return data({ sentTo: email, problem: null, result: null });
  } catch (error) {
    const problem = asApiError(error, { request, context });
    return data(
      { sentTo: null, problem: problemViewOf(problem), result: submission.reply() },
      { status: problem.status },
    );
  }
}
