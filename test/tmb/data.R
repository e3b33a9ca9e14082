# The data of TMB's examples as JSON: Rscript data.R FOLDER, which holds them (tmb_examples of kaskr/adcomp). What they simulate
# is simulated here as they do it.
folder <- commandArgs(TRUE)[1]
number <- function(x) ifelse(is.na(x), '"NaN"', format(x, digits = 17))
list_of <- function(x) paste0("[", paste(number(x), collapse = ","), "]")
example <- function(.name, .objective, ...) {
  columns <- list(...)
  text <- paste0('"', names(columns), '":', vapply(columns, list_of, ""), collapse = ",")
  cat(paste0('"', .name, '":{"objective":', list_of(.objective), ',"columns":{', text, "}}"), if (.name == "nmix") "" else ",")
}
# The least objectives that a stored run holds, fit by fit.
expected <- function(name) {
  stored <- new.env()
  load(file.path(folder, paste0(name, ".expected.RData")), stored)
  unlist(lapply(stored$.results, function(r) if (is.list(r) && !is.null(r$par)) c(r$objective, r$value)))
}
readadmb <- function(file) {
  environment <- new.env()
  source(file.path(folder, "tools", "readdat.R"), environment)
  environment$readadmb(file.path(folder, file))
}

cat("{")
example("thetalog", expected("thetalog"), y = scan(file.path(folder, "thetalog.dat"), skip = 3, quiet = TRUE))

d <- readadmb("socatt.dat")
X <- matrix(d$X, ncol = d$p, byrow = TRUE)
example("socatt", expected("socatt"),
  y = as.integer(as.factor(d$y)) - 1, group = rep(1:d$M, each = 4), x0 = X[, 1], x1 = X[, 2], x2 = X[, 3])

set.seed(1)
steps <- 500
X <- numeric(steps + 1)
X[1] <- 0.5
dt <- diff(seq(0, 50, 0.1))
dB <- rnorm(steps, sd = sqrt(dt))
for (i in 1:steps) X[i + 1] <- X[i] - X[i] * dt[i] + 0.1 * dB[i]
seen <- seq(1, steps + 1, 10)
y <- rep(NA, steps + 1)
y[seen] <- rnorm(length(seen), mean = X[seen], sd = 0.01)
example("sde_linear", expected("sde_linear"), y = y, dt = c(0.1, dt))

set.seed(1)
suppressMessages(library(MASS))
sds <- seq(0.5, 2, length = 3)
Sigma <- 0.9^abs(outer(1:3, 1:3, "-")) * (sds %o% sds)
d <- matrix(NA, 100, 3)
obs <- d
d[1, ] <- rnorm(3)
obs[1, ] <- d[1, ] + rnorm(3, rep(0, 3), rep(1, 3))
for (i in 2:100) {
  d[i, ] <- d[i - 1, ] + mvrnorm(1, rep(0, 3), Sigma = Sigma)
  obs[i, ] <- d[i, ] + rnorm(3, rep(0, 3), rep(1, 3))
}
example("mvrw", expected("mvrw"), y0 = obs[, 1], y1 = obs[, 2], y2 = obs[, 3])

set.seed(123)
X <- c(0, cumsum(rnorm(99, mean = 0.75, sd = 1)))
Y <- X + rnorm(100, sd = 1)
example("randomwalk", expected("validation/randomwalkvalidation"), y = Y)

d <- readadmb("nmix.dat")
example("nmix", expected("nmix"),
  y = d$y, x = d$x, n = d$N, observer = {
    # The observer of each visit: the IDind-th of those of its site.
    first <- cumsum(c(0, d$nID))[1:d$R]
    index <- matrix(d$IDind, d$R, d$T, byrow = TRUE)
    as.vector(t(matrix(as.integer(factor(d$ID))[first + index], d$R, d$T)))
  })
cat("}\n")
