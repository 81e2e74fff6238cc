import { useTranslation } from 'react-i18next';

interface RemainingTimeProps {
  readonly seconds: number;
  /** Seconds are rounded up to its multiples. */
  readonly step?: number;
}

/** Seconds from which minutes are precise enough. */
const MINUTES_FROM = 90;
/** Pages ask for the rest every two seconds. */
const LEAST = 2;

export function RemainingTime({ seconds, step = 1 }: RemainingTimeProps) {
  const { t } = useTranslation('processing');
  return seconds > MINUTES_FROM
    ? t('remaining.minutes', { minutes: Math.round(seconds / 60) })
    : t('remaining.seconds', { seconds: Math.max(LEAST, Math.ceil(seconds / step) * step) });
}
