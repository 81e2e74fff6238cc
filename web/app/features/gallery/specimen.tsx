import type { ReactNode } from 'react';

interface SpecimenProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly isWide?: boolean;
}

export function Specimen({ title, children, isWide = false }: SpecimenProps) {
  return (
    <div className={`min-w-0 rounded-card bg-raised p-5 shadow-soft ${isWide ? '@2xl:col-span-2' : ''}`}>
      <h2 className="mb-4 text-sm font-medium text-muted">{title}</h2>
      {children}
    </div>
  );
}
