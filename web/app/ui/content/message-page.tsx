import type { ReactNode } from 'react';

interface MessagePageProps {
  /** Above the title. */
  readonly icon?: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
  readonly actions: ReactNode;
}

export function MessagePage({ icon, title, children, actions }: MessagePageProps) {
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center gap-6 px-5 py-16 sm:px-8">
      {icon && (
        <span className="grid size-16 place-items-center rounded-2xl bg-quiet text-muted [&>svg]:size-7">{icon}</span>
      )}
      <h1 className="text-display-sm">{title}</h1>
      <div className="space-y-4 text-lg text-pretty text-muted">{children}</div>
      <div className="flex flex-wrap gap-3 pt-2">{actions}</div>
    </section>
  );
}
