import { type Role, SupportRequest, SupportSource, supportRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import { clientOf } from '../../http/client-of.server';
import { readFields } from '../../http/form.server';
import { asApiError, orNull, problemViewOf } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { setFlash } from '../../session/flash.server';
import { fetchMe } from '../../session/me.server';
import { sendTicket } from '../../session/support-ticket.server';
import { type Exchange, visitorOf } from '../../session/visitor.server';
import { captchaTokenOf } from '../captcha/captcha.server';

import { type ContactFields, type ContactKind, contactLengths, parseContact } from './contact-form';
import { SENT_FLASH } from './sent-flash';

/** Read by agents, so it's English. */
const CALL_SUBJECT = 'Book a call';

export const loadContact =
  (kind: ContactKind) =>
  async ({ request, context }: LoaderFunctionArgs) => {
    const [support, common, visitor, summary] = await Promise.all([
      translatorFor(request, 'support'),
      translatorFor(request, 'common'),
      visitorOf(request, context),
      summaryOf({ request, context }),
    ]);
    return {
      title: kind === 'call' ? support('call.title') : common('contactUs'),
      email: visitor.kind === 'member' ? visitor.email : null,
      callUrl: kind === 'call' ? context.settings.callUrl : null,
      captchaAction: supportRoutes.createSupportTicket.path,
      lengths: contactLengths(kind),
      summary,
    };
  };

/** In the address of the page that an error leads to. */
const EVENT_PARAMETER = 'event';

/** A guest has no account. */
async function planName(role: Role, request: Request): Promise<string> {
  if (role === 'guest') return (await translatorFor(request, 'support'))('contact.summary.guest');
  const plan = role === 'personal' || role === 'business' ? role : 'free';
  return (await translatorFor(request, 'account'))(`subscription.plans.${plan}`);
}

/** What is sent with a request (spec 2, section 2). Without the account when the backend doesn't answer. */
async function summaryOf(exchange: Exchange) {
  const { request } = exchange;
  const user = await orNull(fetchMe(exchange), exchange);
  const eventId = new URL(request.url).searchParams.get(EVENT_PARAMETER) ?? '';
  return {
    /** Null without a session. */
    accountId: user?.webUserId ?? null,
    /** Its name in the page's language. */
    plan: user && (await planName(user.role, request)),
    eventId: SupportRequest.shape.eventId.parse(eventId),
    ...clientOf(request.headers.get('user-agent')),
  };
}

/** Sends a request and leads home; shows the form with its values when it is refused. */
export const submitContact =
  (kind: ContactKind) =>
  async ({ request, context }: ActionFunctionArgs) => {
    const submission = parseContact(await readFields(request, context), kind);
    if (submission.status !== 'success') {
      return data({ problem: null, result: submission.reply() }, { status: 422 });
    }
    try {
      await send(submission.value, { request, context });
    } catch (error) {
      const problem = asApiError(error, { request, context });
      return data({ problem: problemViewOf(problem), result: submission.reply() }, { status: problem.status });
    }
    await setFlash(SENT_FLASH, context);
    return seeOther('/', request);
  };

const send = (fields: ContactFields, { request, context }: Exchange): Promise<void> =>
  sendTicket(
    {
      name: fields.name,
      email: fields.email,
      subject: fields.subject ?? CALL_SUBJECT,
      body: fields.time === undefined ? fields.body : `Preferred time: ${fields.time}\n\n${fields.body}`,
      source: SupportSource.parse(new URL(request.url).searchParams.get('source') ?? ''),
      eventId: fields.eventId,
    },
    { request, context, captchaToken: captchaTokenOf(fields, request) },
  );
