module scenarios

go 1.19
