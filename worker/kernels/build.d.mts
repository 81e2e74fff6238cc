export declare function compileKernels(): Promise<{ binary: Uint8Array; types: string }>;
