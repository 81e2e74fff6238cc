export function Logo({ name }: { readonly name: string }) {
  return (
    <span className="flex items-center gap-2.5">
      <svg viewBox="0 0 24 24" aria-hidden="true" className="size-6 fill-none stroke-current stroke-2">
        <path
          d="M3 8V5a2 2 0 0 1 2-2h3M16 3h3a2 2 0 0 1 2 2v3M21 16v3a2 2 0 0 1-2 2h-3M8 21H5a2 2 0 0 1-2-2v-3"
          strokeLinecap="round"
        />
        <circle cx="12" cy="12" r="4" className="fill-accent stroke-none" />
      </svg>
      <span className="text-lg font-semibold tracking-tight max-[24rem]:sr-only">{name}</span>
    </span>
  );
}
