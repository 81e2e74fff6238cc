/** Tells whoever watches over the page of a fault that the visitor has been told of already. */
export const report = (fault: unknown): void => window.reportError(fault);
