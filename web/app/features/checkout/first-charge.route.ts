import type { LoaderFunctionArgs } from '@remix-run/node';
import ical, { ICalAlarmType } from 'ical-generator';
import { throwPageFor } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { accountAddress } from '../../session/account-tabs';
import { fetchMe } from '../../session/me.server';
import { readNextCharge } from './success.server';

/** Cancelling is possible until 24 hours before. */
const REMINDER_SECONDS_BEFORE = 2 * 86_400;

/** The first charge after a free trial, as an iCalendar file with a reminder. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const user = await fetchMe({ request, context });
  const charge = user && (await readNextCharge(user, { request, context }));
  if (!charge?.isTrial) return throwPageFor('request.not_found', context);
  const [t, tiers] = await Promise.all([translatorFor(request, 'account'), translatorFor(request, 'tiers')]);
  const { amount, at, price, subscription } = charge;
  const calendar = ical({ prodId: '//Clearframe//Clearframe//EN' });
  const event = calendar.createEvent({
    id: subscription.subscriptionId,
    start: new Date(at),
    allDay: true,
    summary: t('welcome.event', { plan: tiers(`plans.${price.plan}.title`), price: amount }),
    description: t('welcome.eventNote'),
    url: new URL(accountAddress('subscription'), context.settings.publicUrl).href,
  });
  event.createAlarm({ type: ICalAlarmType.display, triggerBefore: REMINDER_SECONDS_BEFORE });
  return new Response(calendar.toString(), {
    headers: {
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'attachment; filename="clearframe.ics"',
      'cache-control': 'no-store',
    },
  });
}
