import { ChoiceSpecimens } from './choice-specimens';
import { FormSpecimens } from './form-specimens';
import { LookSpecimens } from './look-specimens';
import { TEXTS, type Variant } from './variants';

interface PanelProps {
  readonly variant: Variant;
  readonly received: readonly string[] | null;
}

/** All widgets in one theme and one direction. */
export function Panel({ variant: { theme, direction }, received }: PanelProps) {
  const { names, [direction]: texts } = TEXTS;
  return (
    <section
      aria-label={`${names[theme]}, ${names[direction]}`}
      data-theme={theme}
      dir={direction}
      lang={direction === 'rtl' ? 'ar' : 'en'}
      className="@container min-w-0 rounded-picture bg-ground p-5 text-ink shadow-soft sm:p-8"
    >
      <p dir="ltr" lang="en" className="mb-6 text-sm text-muted">
        {names[theme]}, {names[direction]}
      </p>
      <div className="grid gap-4 @2xl:grid-cols-2">
        <ChoiceSpecimens texts={texts} />
        <FormSpecimens texts={texts} received={received} scope={`${theme}-${direction}`} />
        <LookSpecimens texts={texts} />
      </div>
    </section>
  );
}
