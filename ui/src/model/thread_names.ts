// "pool-#-thread-#" of "pool-1-thread-12": what the names of alike threads have in common.
export function pattern(name: string): string { return name.replace(/\d+/g, "#"); }
