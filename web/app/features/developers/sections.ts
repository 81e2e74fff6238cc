/** Sections of the guide, in the order of its navigation; each is `guide/<section>.md`. */
export const SECTIONS = [
  'quick-start',
  'authentication',
  'files',
  'tools',
  'results',
  'identity',
  'errors',
  'limits',
  'changelog',
] as const;
export type Section = (typeof SECTIONS)[number];

export const FIRST_SECTION: Section = 'quick-start';

export const isSection = (value: unknown): value is Section => SECTIONS.some((section) => section === value);

/** The first one is the guide's own page. */
export const sectionAddress = (section: Section): string =>
  section === FIRST_SECTION ? '/developers' : `/developers/${section}`;
