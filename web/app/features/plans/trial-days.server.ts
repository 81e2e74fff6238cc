import {
  dateFormat,
  inMilliseconds,
  type Settings,
  TRIAL_DAYS,
  TRIAL_REMINDER_DAYS_BEFORE,
} from '@clearframe/contract';

export function trialDaysFrom(
  now: Date,
  language: string,
  { disableEmailReminder }: Pick<Settings, 'disableEmailReminder'>,
) {
  const format = dateFormat(language, { month: 'long', day: 'numeric' });
  const after = (day: number) => {
    const date = new Date(now.getTime() + inMilliseconds.days(day));
    return { day, date: { iso: date.toISOString().slice(0, 10), text: format(date) } };
  };
  return {
    today: after(0).date,
    reminder: disableEmailReminder ? null : after(TRIAL_DAYS - TRIAL_REMINDER_DAYS_BEFORE),
    end: after(TRIAL_DAYS),
  };
}

export type TrialDays = ReturnType<typeof trialDaysFrom>;
