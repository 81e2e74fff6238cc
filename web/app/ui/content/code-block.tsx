/** Lines of a terminal, left to right in every language. They wrap, so that nothing has to be scrolled sideways. */
export function CodeBlock({ children }: { readonly children: string }) {
  return (
    <pre
      dir="ltr"
      className="rounded-control bg-ground p-4 text-start text-sm leading-relaxed wrap-anywhere whitespace-pre-wrap"
    >
      <code className="font-mono">{children}</code>
    </pre>
  );
}
