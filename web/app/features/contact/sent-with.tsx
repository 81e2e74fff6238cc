import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lastEventId } from '../../telemetry/error-reports';
import type { ContactSummary } from './contact-form';

/** Shows what is sent with the message. Without an error in the address, that is the last one of this visit. */
export function SentWith({ summary }: { readonly summary: ContactSummary }) {
  const { t } = useTranslation('support');
  const { accountId, plan, device, browser } = summary;
  const [eventId, setEventId] = useState(summary.eventId);
  useEffect(() => setEventId(summary.eventId || lastEventId()), [summary.eventId]);
  const rows = [
    ['account', accountId],
    ['plan', plan],
    ['event', eventId],
    ['device', device],
    ['browser', browser],
  ] as const;
  const known = rows.filter(([, value]) => value);
  if (known.length === 0) return null;
  return (
    <section aria-labelledby="sent-with" className="flex flex-col gap-2 text-sm">
      <h2 id="sent-with" className="font-medium">
        {t('contact.summary.title')}
      </h2>
      <dl className="flex flex-col gap-1.5">
        {known.map(([name, value]) => (
          <div key={name} className="flex flex-wrap gap-x-3">
            <dt className="text-muted">{t(`contact.summary.${name}`)}</dt>
            <dd className="min-w-0 break-words">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <input type="hidden" name="eventId" value={eventId} />
    </section>
  );
}
